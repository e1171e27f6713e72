import { spawn } from 'node:child_process';
import { randomBytes } from 'node:crypto';
import { once } from 'node:events';
import { createInterface } from 'node:readline';
import { createOrganization } from '@dealkeep/core/accounts';
import {
  connect,
  type Database,
  migrate,
  noLimits,
  severalServers,
  systemClock,
} from '@dealkeep/core/foundations';
import { measureStorage } from '@dealkeep/core/identity';
import { scaleOut as distributeAll, seedDemo } from '@dealkeep/core/installation';
import { citusUrl, databaseUrl, joinServers, onEach, workersOf } from '@dealkeep/testing/citus';
import { seededMigrations, seededStatements } from '@dealkeep/testing/statements';
import postgres from 'postgres';
import { afterAll, beforeAll, expect, onTestFinished, test } from 'vitest';
import { citusFindings } from '../../src/doctor/examine-citus.ts';
import type { Finding } from '../../src/doctor/finding.ts';
import { program } from '../program.ts';

// Needs a Citus that runs, with its workers known to the database of CITUS_URL, which an administrator's address
// leads to.
const first = citusUrl();
const name = `citus_${randomBytes(6).toString('hex')}`;
const url = databaseUrl(first, name);
const key = randomBytes(32).toString('base64');

let sql: Database;
/** The first, and those that it knows. */
let servers: string[];
/** Of leads, before anything was distributed. */
let keysBefore: string[] = [];

beforeAll(async () => {
  servers = [first, ...(await workersOf(first))];
  await onEach(servers, 'postgres', (each) => each`create database ${each(name)}`);
  await migrate(url);
  sql = connect(url, { connections: 2, name: 'tests', limits: noLimits });
});

afterAll(async () => {
  await sql.end();
  await onEach(servers, 'postgres', (each) => each`drop database ${each(name)} with (force)`);
});

interface Ran {
  readonly code: number | null;
  readonly lines: readonly string[];
}

const scaleOut = (options: readonly string[], killedAfter?: number): Promise<Ran> =>
  run(['scale-out', ...options], killedAfter);

/** What a scale-out says last before it begins. */
const begins = /^Meanwhile no process may run/;

/** @param killedAfter a line of this number behind the one that it begins with: then it is ended by kill -9 */
async function run(command: readonly string[], killedAfter = Number.POSITIVE_INFINITY): Promise<Ran> {
  const { PATH, HOME } = process.env;
  const child = spawn(process.execPath, [program, ...command], {
    env: { PATH, HOME, DATABASE_URL: url, ENVIRONMENT: 'test', SECRETS_KEY: key },
    stdio: ['ignore', 'pipe', 'pipe'],
  });
  const lines: string[] = [];
  const reading = [child.stdout, child.stderr].map(async (stream) => {
    for await (const line of createInterface(stream)) {
      lines.push(line);
      const beginning = lines.findIndex((each) => begins.test(each));
      if (beginning >= 0 && lines.length - 1 - beginning >= killedAfter) child.kill('SIGKILL');
    }
  });
  const [code] = await once(child, 'close');
  await Promise.all(reading);
  return { code, lines };
}

test('without Citus, and where it knows no worker, it is refused in one line with the mend', async () => {
  expect(await scaleOut([])).toEqual({ code: 1, lines: [expect.stringMatching(/has no Citus: install it/)] });
  await onEach(servers, name, (each) => each`create extension citus`);
  expect(await scaleOut([])).toEqual({
    code: 1,
    lines: [expect.stringMatching(/knows no other server: .*citus_add_node/)],
  });
  await joinServers(servers, name);
});

test('with --dry-run it only says what it would do', async () => {
  const { slug } = await createOrganization({ sql, clock: systemClock }, { name: 'Acme', slug: 'acme' });
  await seedDemo({ sql, clock: systemClock }, slug, 200);
  const { code, lines } = await scaleOut(['--dry-run']);
  expect(code).toBe(0);
  expect(lines.join('\n')).toMatch(
    /leads +\d+[\s\S]*35 between records are made again[\s\S]*Nothing has been changed/,
  );
  expect(await distributedCount()).toBe(0);
});

test('beside a process that runs it is refused', async () => {
  await sql`
    insert into processes (id, roles, host, version, secrets_key, deliveries_held, connections)
    values (gen_random_uuid(), array['api'], 'here', '1.0.0', 'none', false, 1)`;
  expect(await scaleOut([])).toEqual({
    code: 1,
    lines: [expect.stringMatching(/Dealkeep runs on this database .*stop it first/)],
  });
  await sql`delete from processes`;
});

test('what an organization left that has moved is named before anything is changed; what a killed move left is no hindrance', async () => {
  const [acme] = await sql<{ id: string }[]>`select id from organizations where slug = 'acme'`;
  const { id = '' } = acme ?? {};
  await sql.unsafe(
    `create trigger moves_${id.replaceAll('-', '')}_insert before insert on leads
     for each row when (new.organization_id = '${id}') execute function keep_moving_organization('${id}', '1')`,
  );
  await sql`update organizations set moved_at = now(), move_ended_at = now() where id = ${id}`;
  expect(await scaleOut([])).toEqual({
    code: 1,
    lines: [expect.stringMatching(/moved have left rows here \(acme\).*: forget each of them/)],
  });
  expect(await distributedCount()).toBe(0);
  // The trigger stays, and the next test distributes its table.
  await sql`update organizations set moved_at = null, move_ended_at = null where id = ${id}`;
});

test('killed after any step and run again, it ends with everything distributed and every key between records', async () => {
  keysBefore = await keysOfLeads();
  let kills = 0;
  for (const line of [1, 2, 5, 20, 8, 1, 10, 15]) if ((await scaleOut([], line)).code === null) kills += 1;
  expect(kills).toBeGreaterThan(4);
  const last = await scaleOut([]);
  expect(last.lines[0]).toMatch(/^To be distributed over .* \(\d+ tables are already\):$/);
  const { lines } = await scaleOut([]);
  expect(lines).toEqual([expect.stringMatching(/^Nothing is left to do: 34 tables are distributed over /)]);
  expect(await keysOfLeads()).toEqual(keysBefore.filter((each) => !toControl.test(each)));
  const [row] = await sql<{ leads: number; here: number }[]>`
    select (select count(*)::integer from leads) as leads,
           (select sum(pg_relation_size(logicalrelid))::integer from pg_dist_partition where partmethod = 'h') as here`;
  expect(row).toEqual({ leads: 200, here: 0 });
});

test('what an organization takes is measured there from some pages of a large table, too', async () => {
  await sql`
    insert into events (organization_id, id, type, record_id, occurred_at, envelope)
    select o.id, 'evt_' || n, 'lead.created', gen_random_uuid(), now(), repeat('x', 500) || n
    from organizations o, generate_series(1, 20000) n where o.slug = 'acme'`;
  const log = { debug() {}, info() {}, warn() {}, error() {} };
  const measured = async (pages?: number): Promise<number> => {
    await measureStorage({ sql, log, placement: severalServers }, pages);
    const [row] = await sql<{ bytes: number }[]>`
      select storage_bytes as bytes from organizations where slug = 'acme'`;
    return row?.bytes ?? 0;
  };
  const whole = await measured();
  const reckoned = await measured(200);
  expect(reckoned).not.toBe(whole);
  expect(reckoned / whole).toBeGreaterThan(0.75);
  expect(reckoned / whole).toBeLessThan(1.25);
});

const noBackups = { backups: undefined };

test('doctor warns of backups by the clock, which are of no one moment there', async () => {
  const backups = { folder: '/backups', keep: 7, hour: 2, trial: 'weekly' as const };
  expect(await citusFindings(sql, { backups })).toMatchObject([
    { state: 'ok' },
    {
      state: 'warning',
      finding: expect.stringMatching(/^BACKUP_DIR is set/),
      mend: expect.stringMatching(/^Empty/),
    },
  ]);
  expect(await citusFindings(sql, noBackups)).toHaveLength(1);
});

test('doctor says over which servers it is spread, and which keys are still to be made', async () => {
  const found = async (): Promise<Finding | undefined> => (await citusFindings(sql, noBackups))[0];
  expect(await found()).toMatchObject({
    state: 'ok',
    finding: expect.stringMatching(/^34 tables are distributed over /),
  });
  await sql`insert into scale_out_keys (table_name, key_name, definition) values ('leads', 'of_the_test', 'check (true)')`;
  expect(await found()).toMatchObject({
    state: 'failed',
    finding: expect.stringMatching(/1 foreign keys are not made again/),
  });
  await sql`delete from scale_out_keys`;
});

test('move-to is the way back: an ordinary database has everything then, with all keys', async () => {
  const plain = `${name}_plain`;
  await sql.unsafe(`create database ${plain}`);
  const there = databaseUrl(first, plain);
  const moved = await run(['move-to', there]);
  expect(moved.lines[0]).toMatch(/^Moved .* 200 leads/);
  const other = postgres(there, { max: 1 });
  const [row] = await other<{ leads: number; keys: number }[]>`
    select (select count(*)::integer from leads) as leads,
           (select count(*)::integer from pg_constraint
            where contype = 'f' and conrelid = 'leads'::regclass) as keys`;
  await other.end();
  await sql.unsafe(`drop database ${plain} with (force)`);
  expect(row).toEqual({ leads: 200, keys: keysBefore.length });
});

test('an empty database that is distributed already is refused in one line with the mend, and so is the move of an organization', async () => {
  const other = `${name}_other`;
  const there = databaseUrl(first, other);
  await onEach(servers, 'postgres', (each) => each`create database ${each(other)}`);
  onTestFinished(() =>
    onEach(servers, 'postgres', (each) => each`drop database ${each(other)} with (force)`),
  );
  await joinServers(servers, other);
  await migrate(there);
  await distributeAll(there, { begins() {}, tell() {} });
  expect(await run(['move-to', there])).toEqual({
    code: 1,
    lines: [expect.stringMatching(/are distributed over several servers already: .*scale it out again/)],
  });
  expect(await run(['organizations', 'move', 'acme', '--to', there])).toEqual({
    code: 1,
    lines: [expect.stringMatching(/stands on several servers \(Citus\)/)],
  });
});

test('a table of records that a migration makes is distributed by it', async () => {
  await sql`create table later_records (organization_id uuid, id uuid, primary key (organization_id, id))`;
  const last = '0059-tables-can-be-distributed.sql';
  await sql`drop table scale_out_keys`;
  await sql`delete from migrations where name = ${last}`;
  expect(await citusFindings(sql, noBackups).catch(() => [])).toEqual([]);
  await migrate(url);
  expect(await distributedCount()).toBe(35);
  expect((await citusFindings(sql, noBackups))[0]).toMatchObject({ state: 'ok' });
});

test.each(seededMigrations)(
  'Citus refuses of a migration what its judge finds, $found: $text',
  async ({ text, found }) => {
    const undone = new Error('Undone');
    const owner = postgres(url, { max: 1, onnotice: () => {} });
    const run = owner.begin(async (tx) => {
      // As `migrate` does there.
      for (const statement of text.split(/;\s*\n\s*/)) await tx.unsafe(statement);
      throw undone;
    });
    const error: unknown = await run.catch((each: unknown) => each);
    await owner.end();
    if (found.length === 0) expect(error).toBe(undone);
    else expect(error).toBeInstanceOf(postgres.PostgresError);
  },
);

test.each(seededStatements.filter(({ found }) => found.length === 0))(
  'what the judge of statements accepts, Citus runs on one server: $statement',
  async ({ statement }) => {
    if (/of all organizations|on one server/.test(statement)) return;
    const plan = await planAndRun(statement);
    for (const tasks of plan) expect(tasks).toBe(1);
  },
);

test('of what it refuses, Citus refuses or spreads something by each rule of planning', async () => {
  const rules = new Set<string>();
  for (const { statement, found } of seededStatements.filter((each) => each.found.length > 0)) {
    const tasks = await planAndRun(statement).catch(() => [Number.POSITIVE_INFINITY]);
    if (tasks.some((each) => each > 1)) for (const [why] of found) rules.add(why);
  }
  expect([...rules].sort()).toEqual([
    'another table’s organization',
    'control table beside records',
    'query without columns',
    'several organizations',
    'values by a query',
  ]);
});

const toControl = / REFERENCES (memberships|organizations)\(/;

const keysOfLeads = async (): Promise<string[]> =>
  (
    await sql<{ text: string }[]>`
      select conname || ' ' || pg_get_constraintdef(oid) as text from pg_constraint
      where contype = 'f' and conrelid = 'leads'::regclass order by 1`
  ).map(({ text }) => text);

const distributedCount = async (): Promise<number> =>
  (
    await sql<
      { count: number }[]
    >`select count(*)::integer as count from pg_dist_partition where partmethod = 'h'`
  )[0]?.count ?? 0;

const values: Readonly<Record<string, string>> = {
  uuid: `'01920000-0000-7000-8000-000000000001'`,
  'uuid[]': `'{01920000-0000-7000-8000-000000000001}'`,
  text: `'a'`,
  bigint: '1',
  integer: '1',
  date: `'2027-01-31'`,
  'timestamp with time zone': `'2027-01-31T00:00:00Z'`,
};

/** On how many parts of tables each step of it runs. What it writes may lack columns that must not be null. */
async function planAndRun(statement: string): Promise<number[]> {
  const connection = connect(url, { connections: 1, name: 'tests', limits: noLimits });
  try {
    await connection.unsafe(`prepare judged as ${statement}`);
    const [row] = await connection<{ types: string[] }[]>`
      select parameter_types::text[] as types from pg_prepared_statements where name = 'judged'`;
    const given = (row?.types ?? []).map((type) => values[type] ?? `null::${type}`).join(', ');
    const run = given === '' ? 'execute judged' : `execute judged(${given})`;
    const plan = await connection.unsafe(`explain ${run}`);
    await connection.unsafe('begin');
    await connection.unsafe(run).catch((error: unknown) => {
      if (!(error instanceof postgres.PostgresError && error.code.startsWith('23'))) throw error;
    });
    return plan.flatMap((line) => /Task Count: (\d+)/.exec(line['QUERY PLAN'])?.slice(1).map(Number) ?? []);
  } finally {
    await connection.unsafe('rollback');
    await connection.end();
  }
}
