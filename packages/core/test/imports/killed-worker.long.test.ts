import { findSession } from '@dealkeep/core/accounts';
import { newSecretsKey, parseSecretsKey } from '@dealkeep/core/foundations';
import {
  chooseMapping,
  continueImports,
  countRows,
  createImport,
  getImport,
  startImport,
  undoImport,
} from '@dealkeep/core/operations';
import { Browser, eventually, startDealkeep } from '@dealkeep/testing';
import { startWorker } from '@dealkeep/worker';
import { expect, onTestFinished, test } from 'vitest';
import { startProgram } from '../deliveries/running-program.ts';

const count = 1500;

test('a worker killed in the middle of a check, a run and an undoing has done all or nothing of each row, and another goes on', {
  timeout: 240_000,
}, async () => {
  const secretsKey = newSecretsKey();
  const dealkeep = await startDealkeep({ worker: false, secrets: parseSecretsKey(secretsKey) });
  const { core, sql } = dealkeep;
  const organization = await dealkeep.createOrganization();
  const browser = new Browser(dealkeep);
  await browser.signIn(organization);
  const tokens = await Promise.all([...browser.cookies.values()].map((token) => findSession(core, token)));
  const session = tokens.find((each) => each !== undefined);
  if (!session) throw new Error('Nobody is signed in');

  const rows = Array.from({ length: count }, (_, n) => `Company ${n};${n}`);
  const bytes = new TextEncoder().encode(`Name;Registration ID\n${rows.join('\n')}`);
  const id = await createImport(core, session, { kind: 'company', fileName: 'table.csv', bytes });
  const place = { organization: organization.id, id };
  const counts = () => countRows(sql, place);
  const status = async () => (await getImport(core, session, id)).status;
  const start = async () => {
    const program = await startProgram({ databaseUrl: dealkeep.databaseUrl, secretsKey, roles: 'worker' });
    onTestFinished(async () => void (await program.end('SIGKILL')));
    return program;
  };
  /** What there is, whatever the rows say. */
  const made = async () => {
    const [found] = await sql<{ companies: number; distinct: number; events: number }[]>`
      select (select count(*) from companies where organization_id = ${organization.id})::integer as companies,
             (select count(distinct registration_id) from companies where organization_id = ${organization.id})::integer
               as distinct,
             (select count(*) from events where organization_id = ${organization.id})::integer as events`;
    return found;
  };
  let kills = 0;
  /** Lets workers go on until they have come far enough, kills each, and sees what they have left. */
  const killedAt = async (
    instants: readonly number[],
    done: () => Promise<number>,
    check: () => Promise<void>,
  ) => {
    for (const instant of instants) {
      const program = await start();
      await eventually(async () => expect(await done()).toBeGreaterThanOrEqual(instant));
      await program.end('SIGKILL');
      kills += 1;
      await check();
      // What a worker does a minute later.
      expect(await continueImports(core, 0)).toBe(1);
    }
    const worker = await startWorker({ core, databaseUrl: dealkeep.databaseUrl, concurrency: 50 });
    await eventually(async () => expect(await status()).not.toMatch(/ing$/));
    await worker.stop(1000);
  };

  await chooseMapping(core, session, id, {
    mapping: ['name', 'registration_id'],
    decimal_mark: ',',
    match_by: null,
    fills_short_rows: false,
  });
  await killedAt(
    [200],
    async () => (await counts()).ready ?? 0,
    async () => expect(await made()).toEqual({ companies: 0, distinct: 0, events: 0 }),
  );
  expect(await counts()).toEqual({ ready: count });

  await startImport(core, session, id);
  await killedAt(
    [100, 400, 800],
    async () => (await counts()).created ?? 0,
    async () => {
      const { created = 0 } = await counts();
      expect(created).toBeLessThan(count);
      expect(await made()).toEqual({ companies: created, distinct: created, events: created });
    },
  );
  expect(await status()).toBe('finished');
  expect(await counts()).toEqual({ created: count });
  expect(await made()).toEqual({ companies: count, distinct: count, events: count });

  await undoImport(core, session, id);
  await killedAt(
    [300],
    async () => count - ((await made())?.companies ?? count),
    async () => {
      const [left] = await sql<{ count: number }[]>`
        select count(*)::integer as count from import_records where organization_id = ${organization.id}`;
      expect((await made())?.companies).toBe(left?.count);
    },
  );
  expect(await status()).toBe('undone');
  expect(await counts()).toEqual({ removed: count });
  expect(await made()).toEqual({ companies: 0, distinct: 0, events: count });
  expect(kills).toBe(5);
});
