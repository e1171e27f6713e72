import { execFile } from 'node:child_process';
import { randomUUIDv7 } from 'node:crypto';
import { fileURLToPath } from 'node:url';
import { promisify } from 'node:util';
import { type Database, parseSecretsKey } from '../../src/index.ts';
import { newWebhookSecret } from '../../src/webhooks/webhook-secret.ts';
import { startProgram } from '../../test/deliveries/running-program.ts';
import { type Row, rounded } from '../row.ts';
import { benchEnvelope } from './envelope.ts';
import { type BenchOrganization, type BenchTarget, connectBench, makeOrganization } from './organization.ts';
import { type BenchReceiver, type Received, startBenchReceiver } from './receiver.ts';

const deliveries = 20_000;
const webhooks = 100;
/** As many as a worker has in flight. */
const concurrency = 200;

/** Deliveries per second of one worker with everything that it writes, against a loop that only posts. */
export async function measureThroughput(target: BenchTarget, say: (line: string) => void): Promise<Row[]> {
  const sql = connectBench(target);
  const receiver = await startBenchReceiver();
  try {
    const before = await bareLoop(receiver);
    const organization = await makeOrganization(sql);
    await fill(sql, target, organization, receiver.url);
    await receiver.reset();
    const program = await startProgram({ ...target, roles: 'worker', variables: { LOG_LEVEL: 'warn' } });
    const received = await receiver.received(deliveries);
    await program.end('SIGTERM');
    await checkRecorded(sql, organization);
    const after = await bareLoop(receiver);
    say(`In each second: ${received.perSecond.join(' ')}`);
    const worker = perSecond(received);
    const bare = (before + after) / 2;
    return [
      { what: 'deliveries of one worker', value: rounded(worker, 0), unit: '/s' },
      { what: 'bare loop posting the same', value: rounded(bare, 0), unit: '/s' },
      { what: 'worker against bare loop', value: rounded(worker / bare, 2), unit: '', goal: '>= 0.70' },
      { what: 'sent twice', value: received.count - deliveries, unit: '', goal: '0' },
    ];
  } finally {
    receiver.stop();
    await sql.end();
  }
}

async function bareLoop(receiver: BenchReceiver): Promise<number> {
  await receiver.reset();
  const script = fileURLToPath(new URL('./bare-loop.ts', import.meta.url));
  await promisify(execFile)(process.execPath, [
    '--disable-warning=ExperimentalWarning',
    ...[script, receiver.url, String(deliveries), String(concurrency)],
  ]);
  return perSecond(await receiver.received(deliveries));
}

/** A worker that did not write what it did would look fast. */
async function checkRecorded(sql: Database, { id }: BenchOrganization): Promise<void> {
  const [row] = await sql<{ waiting: number; logged: number }[]>`
    select (select count(*)::integer from deliveries where organization_id = ${id}) as waiting,
           (select count(*)::integer from attempts where organization_id = ${id} and status = 200) as logged`;
  if (row?.waiting !== 0 || row.logged !== deliveries) {
    throw new Error(`Not everything was written: ${JSON.stringify(row)}`);
  }
}

const perSecond = ({ count, first, last }: Received): number => (count / (last - first)) * 1000;

/** Due deliveries, as if the events had happened while no worker ran. */
async function fill(
  sql: Database,
  { secretsKey }: BenchTarget,
  { id: organization, keyId }: BenchOrganization,
  url: string,
): Promise<void> {
  const secrets = parseSecretsKey(secretsKey);
  const now = new Date().toISOString();
  const hooks = Array.from({ length: webhooks }, () => ({
    organization_id: organization,
    id: randomUUIDv7(),
    api_key_id: keyId,
    name: 'Bench',
    target_url: `${url}/hook`,
    events: ['lead.created'],
    secret: secrets.encrypt(newWebhookSecret()),
    created_at: now,
  }));
  await sql`insert into webhooks ${sql(hooks)}`;
  const events = deliveries / webhooks;
  const bodies = Array.from({ length: events }, (_, index) => {
    const id = `evt_${organization.slice(0, 8)}${String(index).padStart(8, '0')}`;
    return { id, envelope: benchEnvelope(id) };
  });
  await sql`
    insert into events (organization_id, id, type, record_id, occurred_at, envelope)
    select ${organization}, id, 'lead.created', gen_random_uuid(), ${now}, envelope
    from unnest(${bodies.map(({ id }) => id)}::text[], ${bodies.map(({ envelope }) => envelope)}::text[])
      as e (id, envelope)`;
  await sql`
    insert into deliveries (id, organization_id, webhook_id, event_id, due_at, created_at)
    select gen_random_uuid(), ${organization}, w.id, e.id, ${now}, ${now}
    from webhooks w cross join events e
    where w.organization_id = ${organization} and e.organization_id = ${organization}
    order by e.id, w.id`;
  await sql`analyze`;
}
