import { randomBytes } from 'node:crypto';
import { join } from 'node:path';
import { eventually } from '@dealkeep/testing';
import { expect, test } from 'vitest';
import { dealkeep, oneLine, ownFolder, result, startReadyHere } from './program.ts';
import { startTwoServers } from './two-servers.ts';

const refusal =
  /^The database takes no writes: it is a standby, .* Name the primary server in DATABASE_URL; `dealkeep doctor` /;

/** Where Dealkeep has been started once, and a standby that follows it; each named alone. */
async function primaryAndStandby() {
  const { url, primary, standby, standbyHasAll } = await startTwoServers();
  const [, before, ofStandby, ofPrimary, after] = /^(.*@)([^,]+),([^/]+)(.*)$/.exec(url) ?? [];
  const SECRETS_KEY = randomBytes(32).toString('base64');
  const onPrimary = { DATABASE_URL: `${before}${ofPrimary}${after}`, SECRETS_KEY };
  const running = await startReadyHere({ ...onPrimary, DEALKEEP_ROLES: 'api' });
  await running.end('SIGTERM');
  await result(['organizations', 'create', '--name', 'Own', '--slug', 'own'], onPrimary);
  await standbyHasAll();
  return { onStandby: { DATABASE_URL: `${before}${ofStandby}${after}`, SECRETS_KEY }, primary, standby };
}

test('with the address of a standby, what writes says so in one line with the mend, and what reads is carried out', async () => {
  const { onStandby, primary, standby } = await primaryAndStandby();
  const isRefused = async (...args: string[]): Promise<void> => {
    const ended = await dealkeep(args, onStandby);
    expect.soft(ended, args.join(' ')).toMatchObject({ code: 1, stderr: expect.stringMatching(oneLine) });
    expect.soft(ended.stderr, args.join(' ')).toMatch(refusal);
  };
  await isRefused('start');
  await isRefused('organizations', 'create', '--name', 'New', '--slug', 'new');
  await isRefused('organizations', 'update', 'own', '--name', 'Other');

  const backup = join(await ownFolder(), 'of-the-standby');
  expect(await dealkeep(['backup', backup], onStandby)).toMatchObject({ code: 0 });
  expect(await dealkeep(['verify', backup], onStandby)).toMatchObject({ code: 0 });
  expect(await dealkeep(['organizations', 'list'], onStandby)).toMatchObject({
    code: 0,
    stdout: expect.stringContaining('own'),
  });
  expect(await dealkeep(['migrate'], onStandby)).toMatchObject({ code: 0 });

  await primary`delete from migrations where name = (select max(name) from migrations)`;
  await eventually(async () => {
    const [row] = await standby`select count(*)::integer as applied from migrations`;
    const [other] = await primary`select count(*)::integer as applied from migrations`;
    expect(row).toEqual(other);
  });
  await isRefused('migrate');
  await isRefused('start');
});
