import { setTimeout as sleep } from 'node:timers/promises';
import type { Database } from '@dealkeep/core/foundations';
import { startProgram } from '../../test/deliveries/running-program.ts';
import { median, type Row, rounded } from '../row.ts';
import { startBareLoop } from './bare-loop.ts';
import { cpuOf, cpuOfServer } from './cpu.ts';
import { addDeliveries, addWebhooks } from './fill-queue.ts';
import { type BenchOrganization, type BenchTarget, connectBench, makeOrganization } from './organization.ts';
import { type Received, startBenchReceiver } from './receiver.ts';

const deliveriesOfSlice = 5000;
/** As many as a worker has in flight. */
const concurrency = 200;

/**
 * Deliveries per second of one worker with everything that it writes, against a loop that only posts; a slice of
 * each in turn, so that what else the machine does meets both. The first pair only warms up.
 */
export async function measureThroughput(
  target: BenchTarget,
  { slices, webhooks, goal }: { slices: number; webhooks: number; goal: string },
  say: (line: string) => void,
): Promise<Row[]> {
  const sql = connectBench(target);
  const receiver = await startBenchReceiver();
  const loop = startBareLoop(receiver.url, concurrency);
  const organization = await makeOrganization(sql);
  await addWebhooks(sql, target, organization, { url: receiver.url, webhooks });
  const program = await startProgram({ ...target, roles: 'worker', variables: { LOG_LEVEL: 'warn' } });
  try {
    const pairs: { worker: number; bare: number }[] = [];
    const cpu = async () => [await cpuOf(program.pid), await cpuOfServer(sql)] as const;
    let before = await cpu();
    let sentTwice = 0;
    for (let slice = 0; slice <= slices; slice += 1) {
      await receiver.reset();
      await loop.post(deliveriesOfSlice);
      const bare = perSecond(await receiver.received(deliveriesOfSlice));
      await receiver.reset();
      await addDeliveries(sql, organization, deliveriesOfSlice / webhooks);
      await receiver.received(deliveriesOfSlice);
      const logged = await allLogged(sql, organization, (slice + 1) * deliveriesOfSlice);
      const { count, first, last } = await receiver.received(deliveriesOfSlice);
      sentTwice += count - deliveriesOfSlice;
      const worker = perSecond({ count: deliveriesOfSlice, first, last: Math.max(last, logged) });
      say(
        `${slice === 0 ? 'Warm-up' : `Slice ${slice}`}: worker ${worker.toFixed(0)}/s, bare ${bare.toFixed(0)}/s`,
      );
      if (slice > 0) pairs.push({ worker, bare });
      else before = await cpu();
    }
    const after = await cpu();
    const [ofWorker, ofServer] = after.map((seconds, index) => {
      return ((seconds - (before[index] ?? 0)) * 1_000_000) / (slices * deliveriesOfSlice);
    });
    return [
      {
        what: `deliveries of one worker to ${webhooks} webhooks`,
        value: rounded(median(pairs.map(({ worker }) => worker)), 0),
        unit: '/s',
      },
      {
        what: 'bare loop posting the same',
        value: rounded(median(pairs.map(({ bare }) => bare)), 0),
        unit: '/s',
      },
      {
        what: `worker against bare loop, ${webhooks} webhooks`,
        unit: '',
        goal,
        value: rounded(median(pairs.map(({ worker, bare }) => worker / bare)), 2),
      },
      { what: 'CPU of the worker for a delivery', value: rounded(ofWorker ?? 0, 0), unit: 'µs' },
      { what: 'CPU of PostgreSQL for a delivery', value: rounded(ofServer ?? 0, 0), unit: 'µs' },
      { what: 'sent twice', value: sentTwice, unit: '', goal: '0' },
    ];
  } finally {
    await program.end('SIGTERM');
    loop.stop();
    receiver.stop();
    await sql.end();
  }
}

/** A worker that did not write what it did would look fast. Answers when the last entry of the log was committed. */
async function allLogged(sql: Database, { id }: BenchOrganization, attempts: number): Promise<number> {
  for (;;) {
    const [row] = await sql<{ waiting: number; logged: number; at: string }[]>`
      select (select count(*)::integer from deliveries where organization_id = ${id}) as waiting,
             count(*)::integer as logged,
             (extract(epoch from max(pg_xact_commit_timestamp(xmin))) * 1000)::text as at
      from attempts where organization_id = ${id} and status = 200`;
    if (row && row.waiting === 0 && row.logged >= attempts) return Number(row.at);
    await sleep(100);
  }
}

const perSecond = ({ count, first, last }: Pick<Received, 'count' | 'first' | 'last'>): number =>
  (count / (last - first)) * 1000;
