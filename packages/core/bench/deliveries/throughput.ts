import { execFile } from 'node:child_process';
import { fileURLToPath } from 'node:url';
import { promisify } from 'node:util';
import type { Database } from '../../src/index.ts';
import { startProgram } from '../../test/deliveries/running-program.ts';
import { type Row, rounded } from '../row.ts';
import { fillQueue } from './fill-queue.ts';
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
    await fillQueue(sql, target, organization, {
      url: receiver.url,
      webhooks,
      events: deliveries / webhooks,
    });
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
