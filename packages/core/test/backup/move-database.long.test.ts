import { randomUUID } from 'node:crypto';
import { createApiKey } from '@dealkeep/core/accounts';
import {
  systemClock as clock,
  connect,
  type Database,
  OperatorError,
  Secrets,
} from '@dealkeep/core/foundations';
import { enterInstallation, moveDatabase } from '@dealkeep/core/installation';
import { filledOnce, type Instant, type TestDatabase, WatchedLine } from '@dealkeep/testing';
import { beforeEach, expect, onTestFinished, test } from 'vitest';
import { emptyDatabase, fillDatabase, tableSums } from './filled.ts';

const filledDatabase = filledOnce(fillDatabase, { onOneServer: true });

let source: TestDatabase;
let target: TestDatabase;
beforeEach(async () => {
  source = await filledDatabase();
  target = await emptyDatabase();
});

/** @param through other addresses of the two */
const move = (through: { from?: string; to?: string } = {}) =>
  moveDatabase({
    from: source.url,
    to: target.ownerUrl,
    version: '0.1.0',
    clock,
    environment: 'live',
    fingerprints: ['0011223344556677'],
    ...through,
  });

/** The sentence that a move is refused with. */
const refusal = (work: Promise<unknown>): Promise<string> =>
  work.then(
    () => 'It was moved',
    (error: unknown) => {
      if (error instanceof OperatorError) return error.sentence;
      throw error;
    },
  );

async function pauseOf({ sql }: TestDatabase): Promise<string | null> {
  const [row] = await sql<{ reason: string | null }[]>`
    select case when deliveries_paused_at is not null then coalesce(deliveries_paused_reason, 'paused') end as reason
    from installation`;
  return row?.reason ?? null;
}

const organizationsOf = async ({ sql }: TestDatabase): Promise<number> =>
  (await sql`select from organizations`).length;

/** A pool of the source's own role, as a process and a command have one. */
function program(): Database {
  const sql = connect(source.url, { connections: 1, name: 'dealkeep command' });
  onTestFinished(() => sql.end());
  return sql;
}

const waiting = ({ sql }: TestDatabase, name: string) => sql`
  select from pg_stat_activity
  where datname = current_database() and wait_event_type = 'Lock' and application_name = ${name}`;

/** As a process starts. */
const enter = (sql: Database) =>
  enterInstallation(sql, {
    environment: 'live',
    secrets: new Secrets([Buffer.alloc(32, 7)]),
    process: {
      id: randomUUID(),
      roles: ['api'],
      host: 'a',
      version: '1',
      deliveriesHeld: false,
      connections: 1,
    },
  });

/** Does something to the source while its rows are copied; answers what the move says. */
async function inTheMiddle(work: () => Promise<void>): Promise<string> {
  let said: Promise<string> | undefined;
  await target.sql.begin(async (tx) => {
    await tx`lock table tags in share mode`;
    said = refusal(move());
    await expect.poll(() => waiting(target, 'dealkeep restore')).toHaveLength(1);
    await work();
  });
  return (await said) ?? '';
}

test('a process that starts in the middle of a move waits, and the move is refused with nothing moved', async () => {
  const sql = program();
  let started: Promise<unknown> | undefined;
  const said = await inTheMiddle(async () => {
    started = enter(sql).catch((error: unknown) => error);
    await expect.poll(() => waiting(source, 'dealkeep command')).toHaveLength(1);
  });
  expect(said).toMatch(
    /^Something was started that writes to this database \(dealkeep command, process \d+ of /,
  );
  await started;
  expect(await organizationsOf(target)).toBe(0);
  expect(await pauseOf(source)).toBe(null);
});

test('a process that has waited for a move for too long says in one line why it does not start', async () => {
  const limits = { statementMs: 300, answerMs: 10_000, connectMs: 4_000 };
  const sql = connect(source.url, { connections: 1, name: 'dealkeep', limits });
  onTestFinished(() => sql.end());
  let started = '';
  const said = await inTheMiddle(async () => {
    started = await refusal(enter(sql));
  });
  expect(started).toMatch(/^No process may start on this database at this moment: it is being moved/);
  expect(said).toBe('It was moved');
});

test('what a command writes in the middle of a move is in the database that goes on', async () => {
  const operator = { sql: program(), clock, environment: 'live' as const };
  let made: Promise<unknown> | undefined;
  const said = await inTheMiddle(async () => {
    made = createApiKey(operator, { organization: 'own', name: 'Late', grant: { preset: 'automation' } });
    await expect.poll(() => waiting(source, 'dealkeep command')).toHaveLength(1);
  });
  expect(said).toMatch(/^Something was started that writes to this database/);
  await made;
  expect(await source.sql`select from api_keys where name = 'Late'`).toHaveLength(1);
  expect(await organizationsOf(target)).toBe(0);
});

test('a process that shows itself while the rows are copied ends the move with nothing moved', async () => {
  const said = await inTheMiddle(async () => {
    await source.sql`
      insert into processes (id, roles, host, version, secrets_key, deliveries_held, connections)
      values (gen_random_uuid(), '{api}', 'one', '1', 'k', false, 1)`;
  });
  expect(said).toBe('Dealkeep runs on this database (api on one): stop it first');
  expect(await organizationsOf(target)).toBe(0);
  expect(await pauseOf(source)).toBe(null);
});

test('a move that is refused leaves a queue paused that an operator had paused', async () => {
  await source.sql`update installation set deliveries_paused_at = now(), deliveries_paused_reason = 'Later'`;
  await target.sql`
    insert into organizations (id, name, slug, country_code, currency, time_zone, max_webhooks, max_keys, created_at)
    values (gen_random_uuid(), 'First', 'first', 'SK', 'EUR', 'Europe/Bratislava', 1, 1, now())`;
  expect(await refusal(move())).toMatch(/^The database is not empty/);
  expect(await pauseOf(source)).toBe('Later');
  await target.sql`delete from organizations`;
  await move();
  expect([await pauseOf(source), await pauseOf(target)]).toEqual(['Moved to another database', 'Later']);
});

const isCommit = (state: Instant['state']) => (instant: Instant) =>
  instant.statement === 'commit' && instant.state === state && instant.opening.includes('pg_current_xact_id');

test('a move whose commit is lost before it is heard moves nothing, and both databases are as before', async () => {
  const line = await WatchedLine.open(target.ownerUrl);
  const reached = line.stopAt(isCommit('asked'));
  const said = refusal(move({ to: line.url }));
  const stop = await reached;
  expect(await pauseOf(source)).toBe('Moving to another database');
  stop.cut();
  expect(await said).toMatch(/^The connection to the database was lost .*: nothing was moved/);
  expect([await organizationsOf(target), await pauseOf(source)]).toEqual([0, null]);
});

test('a move whose commit is not answered looks what the other database holds, and goes on', async () => {
  const line = await WatchedLine.open(target.ownerUrl);
  const reached = line.stopAt(isCommit('answered'));
  const done = move({ to: line.url });
  const stop = await reached;
  expect(await pauseOf(target)).toBe('Moving to another database');
  stop.cut();
  expect((await done)?.settled).toMatchObject({ waiting: { deliveries: 4, mails: 1 } });
  expect([await pauseOf(source), await pauseOf(target)]).toEqual(['Moved to another database', null]);
});

test('a connection that is lost when everything was written takes nothing from a move', async () => {
  const line = await WatchedLine.open(source.url);
  const reached = line.stopAt(
    ({ statement, state, opening }) =>
      statement === 'commit' && state === 'asked' && opening.includes('repeatable read, read only'),
  );
  const done = move({ from: line.url });
  const stop = await reached;
  await expect.poll(() => organizationsOf(target)).toBe(1);
  stop.cut();
  expect((await done)?.settled).toMatchObject({ deliveries: 'sending' });
  expect([await pauseOf(source), await pauseOf(target)]).toEqual(['Moved to another database', null]);
});

/** Has a move come to everything but its end, as one that is killed then. */
async function cutBehindTheCommit(): Promise<void> {
  const line = await WatchedLine.open(source.url);
  const reached = line.stopAt(
    ({ statement, state }) =>
      state === 'asked' && /update installation set deliveries_paused_reason/.test(statement),
  );
  const said = refusal(move({ from: line.url }));
  (await reached).cut();
  expect(await said).toMatch(/^Everything is in the other database, and this one does not answer/);
}

test('a move that was cut off behind its commit has both queues paused, and is finished when it is run again', async () => {
  await cutBehindTheCommit();
  expect([await pauseOf(source), await pauseOf(target)]).toEqual([
    'Moving to another database',
    'Moving to another database',
  ]);
  expect(await move()).toBe(undefined);
  expect([await pauseOf(source), await pauseOf(target)]).toEqual(['Moved to another database', null]);
  expect(await refusal(move())).toMatch(/^The database is not empty/);
});

test('a move that was cut off is not finished once either database was changed', async () => {
  await cutBehindTheCommit();
  const before = await tableSums(target.sql);
  await source.sql`
    insert into tags (organization_id, id, name, created_at, updated_at)
    select id, gen_random_uuid(), 'Later', now(), now() from organizations`;
  expect(await refusal(move())).toMatch(
    /^The other database has everything of a former move, and one of the two was changed since \(tags: \d+ rows here, \d+ there\)/,
  );
  expect(await pauseOf(target)).toBe('Moving to another database');
  expect(await tableSums(target.sql)).toEqual(before);
});
