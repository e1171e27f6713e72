import { readFile } from 'node:fs/promises';
import { setTimeout as sleep } from 'node:timers/promises';
import type { Database } from '../../src/index.ts';
import { type RunningProgram, startProgram } from '../../test/deliveries/running-program.ts';
import { median, type Row, rounded } from '../row.ts';
import { addDeliveries, addWebhooks } from './fill-queue.ts';
import { type BenchOrganization, type BenchTarget, connectBench, makeOrganization } from './organization.ts';
import { type BenchReceiver, startBenchReceiver } from './receiver.ts';

const webhooks = 100;

export interface BacklogOptions {
  /** Due deliveries. */
  size: number;
  /** How long a worker warms up, and how long the drain is then watched at its start and at its end. */
  warmUp: number;
  seconds: number;
  /** How often a second worker comes and goes. */
  pairs: number;
}

/**
 * How a backlog drains: at its start; with a second worker and without, in turn; and its last tenth. What lies between
 * is deleted rather than sent, because sending a million takes long.
 */
export async function measureBacklog(
  target: BenchTarget,
  { size, pairs, warmUp, seconds }: BacklogOptions,
  say: (line: string) => void,
): Promise<Row[]> {
  const sql = connectBench(target);
  const receiver = await startBenchReceiver();
  const organization = await makeOrganization(sql);
  await addWebhooks(sql, target, organization, { url: receiver.url, webhooks });
  await addDeliveries(sql, organization, size / webhooks);
  const memory: number[] = [];
  const start = () => startProgram({ ...target, roles: 'worker', variables: { LOG_LEVEL: 'warn' } });
  const end = async (program: RunningProgram): Promise<void> => {
    memory.push(await mostMemory(program.pid));
    await program.end('SIGTERM');
  };
  try {
    let worker = await start();
    const first = await ratesFor(receiver, { warmUp, seconds });
    say(`The first, in each second: ${first.join(' ')}`);
    const ratios: number[] = [];
    for (let pair = 1; pair <= pairs; pair += 1) {
      const alone = median(await ratesFor(receiver, { warmUp, seconds: seconds / 2 }));
      const second = await start();
      const both = median(await ratesFor(receiver, { warmUp, seconds: seconds / 2 }));
      await end(second);
      say(`One worker ${alone.toFixed(0)}/s, two ${both.toFixed(0)}/s`);
      ratios.push(both / alone);
    }
    await end(worker);
    const left = await keepLastTenth(sql, organization);
    say(`${left.toLocaleString('en')} are left`);
    worker = await start();
    const last = await ratesFor(receiver, { warmUp, seconds, most: left * 0.9 });
    say(`The last, in each second: ${last.join(' ')}`);
    await end(worker);
    const backlog = `backlog of ${size.toLocaleString('en')}`;
    return [
      { what: `${backlog}, first of them`, value: rounded(median(first), 0), unit: '/s' },
      { what: `${backlog}, last tenth`, value: rounded(median(last), 0), unit: '/s' },
      {
        ...{ what: `${backlog}, last tenth against first`, unit: '', goal: '0.80 to 1.20' },
        value: rounded(median(last) / median(first), 2),
      },
      { what: 'memory of a worker at most', value: Math.max(...memory), unit: 'MB', goal: '<= 300' },
      { what: 'two workers against one', value: rounded(median(ratios), 2), unit: '', goal: '>= 1.00' },
    ];
  } finally {
    receiver.stop();
    await sql`truncate deliveries`;
    await sql.end();
  }
}

/** What came in each second, once a worker has warmed up; no longer than so many have come. */
async function ratesFor(
  receiver: BenchReceiver,
  { warmUp, seconds, most = Number.POSITIVE_INFINITY }: { warmUp: number; seconds: number; most?: number },
): Promise<number[]> {
  await receiver.reset();
  await receiver.received(1);
  await sleep(warmUp * 1000);
  const { count } = await receiver.received(1);
  await receiver.reset();
  const end = performance.now() + seconds * 1000;
  while (performance.now() < end && (await receiver.received(0)).count < most - count) await sleep(200);
  // The last second is not over.
  const rates = (await receiver.received(0)).perSecond.slice(0, -1);
  if (rates.length === 0)
    throw new Error('The backlog was drained before it was measured: take a larger one');
  return rates;
}

/** Only the newest events still wait, as when the others had been sent. */
async function keepLastTenth(sql: Database, { id }: BenchOrganization): Promise<number> {
  const [waiting] = await sql<{ tenth: number }[]>`
    select (count(*) / 10)::integer as tenth from events where organization_id = ${id}`;
  await sql`
    delete from deliveries where event_id < (
      select id from events where organization_id = ${id} order by id desc offset ${(waiting?.tenth ?? 1) - 1} limit 1)`;
  const [left] = await sql<{ count: number }[]>`select count(*)::integer as count from deliveries`;
  return left?.count ?? 0;
}

/** Resident memory at its highest, in MB, as Linux knows it. */
async function mostMemory(pid: number): Promise<number> {
  const status = await readFile(`/proc/${pid}/status`, 'utf8');
  return Math.round(Number(/VmHWM:\s+(\d+) kB/.exec(status)?.[1]) / 1024);
}
