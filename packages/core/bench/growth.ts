import { mkdtemp, rm } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { connect, type Database, migrate, noLimits, oneServer } from '@dealkeep/core/foundations';
import { removeOld } from '@dealkeep/core/installation';
import { startEmbeddedPostgres } from '@dealkeep/embedded-postgres';
import { Outbox } from '../src/change/events/outbox.ts';
import { endOf, recordParts } from '../src/change/verb/last-statement.ts';
import { dueEvents } from '../src/delivering/deliveries/lease/due-events.ts';
import { leaseDeliveries } from '../src/delivering/deliveries/lease/lease.ts';
import { connectQueue, type QueueConnections } from '../src/foundations/database/connect-queue.ts';
import { type BenchOrganization, makeOrganization } from './deliveries/organization.ts';
import { median, type Row, rounded } from './row.ts';

const finishedEvents = 1_000_000;
const rounds = 500;
const warmUps = 100;

/** A database with one organization that has one webhook, and what its rounds took in milliseconds. */
interface Installation {
  sql: Database;
  queue: QueueConnections;
  organization: BenchOrganization;
  written: number[];
  claimed: number[];
}

/**
 * Whether a database slows that has served for long: writing an event with its delivery, and claiming that, in a
 * database without a past and, in turn with it, in one with a million finished events and attempts of the last 30
 * days; and what removing a batch of 1,000 old events takes.
 */
export async function benchGrowth(say: (line: string) => void): Promise<Row[]> {
  const dataDir = await mkdtemp(join(tmpdir(), 'dealkeep-bench-'));
  const server = await startEmbeddedPostgres({ dataDir });
  try {
    const young = await install(server.url, 'young');
    const old = await install(server.url, 'old');
    say(`Writing ${finishedEvents.toLocaleString('en')} finished events and attempts`);
    await fill(old.sql, old.organization.id);
    say(`${rounds} rounds in each database, in turn`);
    for (let round = -warmUps; round < rounds; round += 1) {
      for (const installation of [young, old]) await measure(installation, round < 0);
    }
    say('Removing 100,000 events');
    const clock = { now: () => new Date(Date.now() + 4 * 24 * 3600_000) };
    const began = performance.now();
    const { events: removed = 0 } = await removeOld({ sql: old.sql, clock }, { only: ['events'] });
    const batch = ((performance.now() - began) / removed) * 1000;
    const pools = [young, old].flatMap(({ sql, queue }) => [sql, queue.claims, queue.results]);
    await Promise.all(pools.map((pool) => pool.end()));
    return [
      ...rowsOf(young, old),
      { what: 'removing 1,000 old events', value: rounded(batch, 1), unit: 'ms' },
    ];
  } finally {
    await server.stop();
    await rm(dataDir, { recursive: true, force: true });
  }
}

function rowsOf(young: Installation, old: Installation): Row[] {
  const [newWritten, oldWritten] = [median(young.written), median(old.written)];
  const [newClaimed, oldClaimed] = [median(young.claimed), median(old.claimed)];
  const ratio = (oldWritten + oldClaimed) / (newWritten + newClaimed);
  return [
    { what: 'event and delivery written, no past, p50', value: rounded(newWritten, 2), unit: 'ms' },
    { what: 'the same with a million events', value: rounded(oldWritten, 2), unit: 'ms' },
    { what: 'claimed and read, no past, p50', value: rounded(newClaimed, 2), unit: 'ms' },
    { what: 'the same with a million events', value: rounded(oldClaimed, 2), unit: 'ms' },
    { what: 'with a past against without', value: rounded(ratio, 2), unit: '', goal: '<= 1.2' },
  ];
}

async function install(serverUrl: string, name: string): Promise<Installation> {
  const admin = connect(serverUrl, { connections: 1, name: 'bench', limits: noLimits });
  await admin`create database ${admin(name)}`;
  await admin.end();
  const address = new URL(serverUrl);
  address.pathname = name;
  await migrate(address.href);
  const sql = connect(address.href, { connections: 1, name: 'bench', limits: noLimits });
  const organization = await makeOrganization(sql);
  await sql`
    insert into webhooks (organization_id, id, name, target_url, events, secret, created_at)
    values (${organization.id}, gen_random_uuid(), 'Bench', 'https://127.0.0.1/', '{lead.created}', '\\x00', now())`;
  await sql`insert into workers values (1, clock_timestamp())`;
  return { sql, queue: connectQueue(address.href), organization, written: [], claimed: [] };
}

async function measure(installation: Installation, isWarmUp: boolean): Promise<void> {
  const { sql, queue, organization, written, claimed } = installation;
  const now = new Date().toISOString();
  const book = new Outbox(organization, now);
  book.add('lead.created', { id: crypto.randomUUID() });
  const start = performance.now();
  const { webhooks } = await sql.begin((tx) =>
    endOf(tx, organization.id, book.rows(), { records: recordParts(tx, organization.id) }).written(),
  );
  const middle = performance.now();
  const rooms = new Map(webhooks.map((webhook) => [webhook, 4]));
  const { leased } = await leaseDeliveries(queue.claims, {
    workerId: 1,
    now,
    rooms,
    bytes: Number.MAX_SAFE_INTEGER,
    atLeastOne: true,
    events: dueEvents(oneServer),
  });
  const end = performance.now();
  if (leased.length !== 1) throw new Error(`${leased.length} deliveries were leased instead of one`);
  await sql`delete from deliveries where organization_id = ${organization.id}`;
  if (isWarmUp) return;
  written.push(middle - start);
  claimed.push(end - middle);
}

/** Evenly over the last 30 days, a kilobyte each, with one attempt. */
async function fill(sql: Database, organization: string): Promise<void> {
  await sql`
    with made as (
      insert into events (organization_id, id, type, record_id, occurred_at, envelope)
      select ${organization}, 'evt_0' || lpad(to_hex(n), 31, '0'), 'lead.created', gen_random_uuid(),
             now() - n * interval '30 days' / ${finishedEvents}::float8, repeat(md5(n::text), 32)
      from generate_series(1, ${finishedEvents}::integer) n returning id, occurred_at)
    insert into attempts (organization_id, id, webhook_id, event_id, event_type, number, started_at, duration_ms, status)
    select ${organization}, gen_random_uuid(), w.id, made.id, 'lead.created', 1, made.occurred_at, 20, 200
    from made cross join webhooks w where w.organization_id = ${organization}`;
  await sql`vacuum analyze`;
  // What the filling has left to be written is no part of what follows.
  await sql`checkpoint`;
}
