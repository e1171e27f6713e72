import { mkdtemp, rm } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { startEmbeddedPostgres } from '@dealkeep/embedded-postgres';
import { claimDeliveries, firstOfAll, readEnvelopes } from '../src/deliveries/claim.ts';
import { connectQueue } from '../src/deliveries/queue-connection.ts';
import { EventBook } from '../src/events/event-book.ts';
import { connect, type Database, migrate, removeOldEvents } from '../src/index.ts';
import { makeOrganization } from './deliveries/organization.ts';
import { percentile, type Row, rounded } from './row.ts';

const finishedEvents = 1_000_000;
const rounds = 300;

/**
 * Whether a database slows that has served for long: writing an event with its delivery, and claiming that, in an
 * organization without a past and in one with a million finished events and attempts of the last 30 days; and what
 * removing one batch of 1,000 old events takes.
 */
export async function benchGrowth(say: (line: string) => void): Promise<Row[]> {
  const dataDir = await mkdtemp(join(tmpdir(), 'dealkeep-bench-'));
  const server = await startEmbeddedPostgres({ dataDir });
  try {
    await migrate(server.url);
    const sql = connect(server.url, { connections: 2, name: 'bench' });
    const queue = connectQueue(server.url);
    const organization = await makeOrganization(sql);
    await sql`
      insert into webhooks (organization_id, id, name, target_url, events, secret, created_at)
      values (${organization.id}, gen_random_uuid(), 'Bench', 'https://127.0.0.1/', '{lead.created}', '\\x00', now())`;
    const measureAll = async () => measure(sql, queue.claims, organization);
    say('Without a past');
    await measureAll();
    const young = await measureAll();
    say(`Writing ${finishedEvents.toLocaleString('en')} finished events and attempts`);
    await fill(sql, organization.id);
    await measureAll();
    const old = await measureAll();
    say('Removing 100,000 of them');
    const clock = { now: () => new Date(Date.now() + 4 * 24 * 3600_000) };
    const began = performance.now();
    const removed = await removeOldEvents({ sql, clock });
    const batch = ((performance.now() - began) / removed) * 1000;
    await Promise.all([sql.end(), queue.claims.end(), queue.results.end()]);
    return [
      { what: 'event and delivery written, no past, p50', value: rounded(young.written, 2), unit: 'ms' },
      { what: 'the same with a million events, p50', value: rounded(old.written, 2), unit: 'ms' },
      { what: 'claimed and read, no past, p50', value: rounded(young.claimed, 2), unit: 'ms' },
      { what: 'the same with a million events, p50', value: rounded(old.claimed, 2), unit: 'ms' },
      {
        what: 'with a past against without',
        value: rounded((old.written + old.claimed) / (young.written + young.claimed), 2),
        unit: '',
        goal: '<= 1.2',
      },
      { what: 'removing 1,000 old events', value: rounded(batch, 1), unit: 'ms' },
    ];
  } finally {
    await server.stop();
    await rm(dataDir, { recursive: true, force: true });
  }
}

/** Medians in milliseconds. */
async function measure(
  sql: Database,
  claims: Database,
  organization: { id: string; slug: string },
): Promise<{ written: number; claimed: number }> {
  const written: number[] = [];
  const claimed: number[] = [];
  for (let round = 0; round < rounds; round += 1) {
    const now = new Date().toISOString();
    const book = new EventBook(organization, now);
    book.add('lead.created', { id: crypto.randomUUID() });
    const start = performance.now();
    await sql.begin((tx) => book.write(tx));
    const middle = performance.now();
    const bounds = { workerId: 1, now, most: 100, perWebhook: 4, room: new Map(), after: firstOfAll };
    const deliveries = await claimDeliveries(claims, bounds);
    const events = await readEnvelopes(claims, deliveries);
    if (events.size !== 1) throw new Error(`${events.size} events were claimed instead of one`);
    written.push(middle - start);
    claimed.push(performance.now() - middle);
    await sql`delete from deliveries where organization_id = ${organization.id}`;
  }
  const median = (values: number[]): number =>
    percentile(
      values.sort((a, b) => a - b),
      0.5,
    );
  return { written: median(written), claimed: median(claimed) };
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
}
