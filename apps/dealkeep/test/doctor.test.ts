import { randomBytes, randomUUID } from 'node:crypto';
import { writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import { connect, placeOfSecret, Secrets } from '@dealkeep/core';
import { expect, test } from 'vitest';
import { examine } from '../src/doctor/examine.ts';
import type { Finding } from '../src/doctor/finding.ts';
import { dealkeep, ownDatabase, ownFolder, result, startReady, takenPort } from './program.ts';

const stateOf = (findings: readonly Finding[], check: string): Finding => {
  const found = findings.find((each) => each.check === check);
  if (!found) throw new Error(`Nothing was said about ${check}`);
  return found;
};

test('where all is well, every check says so and what the server does', async () => {
  const variables = await ownDatabase();
  await result(['organizations', 'create', '--name', 'Well', '--slug', 'well'], variables);
  const { port } = await startReady({ ...variables, ROLES: 'api' });
  const findings = await result<Finding[]>(['doctor'], { ...variables, PORT: port, ROLES: 'api' });
  for (const check of [
    'Configuration',
    'Address',
    'Database',
    'Clock',
    'Migrations',
    'Organizations',
    'Secrets',
    'Allowed targets',
  ]) {
    expect(stateOf(findings, check)).toMatchObject({ state: 'ok' });
  }
  expect(stateOf(findings, 'Server').finding).toContain('it runs');
  expect(
    findings.every(({ state, mend }) => state === 'ok' || mend),
    'whatever is not, has a mend',
  ).toBe(true);
});

test('what failed ends it with 1, in readable lines', async () => {
  const { code, stdout, stderr } = await dealkeep(['doctor'], { ENVIRONMENT: 'production' });
  expect({ code, stderr }).toEqual({ code: 1, stderr: '' });
  expect(stdout).toMatch(/^FAIL {2}Configuration: ENVIRONMENT takes one of live, test, .*\n {8}\S.*\n$/);
});

test('nothing is made where there is nothing yet', async () => {
  const dataDir = join(await ownFolder(), 'none');
  const findings = await examine({ DATA_DIR: dataDir, PORT: '0' });
  expect(stateOf(findings, 'Database')).toMatchObject({
    state: 'ok',
    finding: expect.stringContaining('yet'),
  });
  await expect(writeFile(join(dataDir, 'probe'), ''), 'the folder is still missing').rejects.toThrow(
    /ENOENT/,
  );
});

test('a database that cannot be reached, or has a wrong password, is a failure with a mend', async () => {
  const { DATABASE_URL, SECRETS_KEY } = await ownDatabase();
  const wrong = new URL(DATABASE_URL);
  wrong.password = 'wrong';
  for (const url of ['postgres://dealkeep@127.0.0.1:1/none', wrong.href]) {
    const database = stateOf(await examine({ DATABASE_URL: url, SECRETS_KEY, PORT: '0' }), 'Database');
    expect(database).toMatchObject({ state: 'failed', mend: expect.stringContaining('DATABASE_URL') });
  }
});

test('a SECRETS_KEY that does not fit the stored secrets is a failure', async () => {
  const variables = await ownDatabase();
  const { id } = await result<{ id: string }>(
    ['organizations', 'create', '--name', 'S', '--slug', 's'],
    variables,
  );
  const other = randomBytes(32);
  const webhook = randomUUID();
  const sealed = new Secrets([other]).encrypt('whsec_', placeOfSecret({ organization_id: id, id: webhook }));
  const sql = connect(variables.DATABASE_URL, { connections: 1, name: 'test' });
  await sql`
    insert into webhooks (organization_id, id, target_url, events, secret, created_at)
    values (${id}, ${webhook}, 'https://example.com/', '{lead.created}', ${sealed}, now())`;
  await sql.end();
  expect(stateOf(await examine({ ...variables, PORT: '0' }), 'Secrets')).toMatchObject({ state: 'failed' });
  const rotated = {
    ...variables,
    SECRETS_KEY: `${variables.SECRETS_KEY},${other.toString('base64')}`,
    PORT: '0',
  };
  expect(stateOf(await examine(rotated), 'Secrets')).toMatchObject({ state: 'ok' });
});

// Too long for a name, so that no resolver is asked.
const unresolvable = `${'long'.repeat(16)}.example`;

test('a port that another program uses, an open address and a target without an address are told', async () => {
  const findings = await examine({
    DATA_DIR: join(await ownFolder(), 'none'),
    PORT: await takenPort(),
    ORIGIN: 'http://crm.example.com',
    WEBHOOK_ALLOWED_TARGETS: `10.0.0.0/8,127.0.0.1,localhost:8080,${unresolvable}`,
  });
  expect(stateOf(findings, 'Server')).toMatchObject({ state: 'failed' });
  expect(stateOf(findings, 'Address')).toMatchObject({
    state: 'warning',
    mend: expect.stringContaining('ORIGIN'),
  });
  const targets = stateOf(findings, 'Allowed targets');
  expect(targets).toMatchObject({
    state: 'warning',
    finding: expect.stringContaining(unresolvable),
  });
  expect(targets.finding).not.toContain('localhost');
});
