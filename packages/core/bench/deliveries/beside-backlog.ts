import { once } from 'node:events';
import { createServer } from 'node:http';
import type { AddressInfo } from 'node:net';
import { setTimeout as sleep } from 'node:timers/promises';
import type { Database } from '@dealkeep/core/foundations';
import { startProgram } from '../../test/deliveries/running-program.ts';
import { median, percentile, type Row, rounded } from '../row.ts';
import { addDeliveries, addWebhooks } from './fill-queue.ts';
import { type BenchOrganization, type BenchTarget, connectBench, makeOrganization } from './organization.ts';
import { startBenchReceiver } from './receiver.ts';

export interface BesideBacklogOptions {
  /** What waits for one webhook. */
  backlog: number;
  /** Webhooks beside it, each with one delivery that becomes due. */
  others: number;
  /** Measurements without and with the backlog, in turn. */
  pairs: number;
}

/**
 * How long deliveries of many webhooks wait from the moment at which all are due, while another webhook is sent a
 * backlog, against the same without it.
 */
export async function measureBesideBacklog(
  target: BenchTarget,
  { backlog, others, pairs }: BesideBacklogOptions,
  say: (line: string) => void,
): Promise<Row[]> {
  const sql = connectBench(target);
  const receiver = await startBenchReceiver();
  const beside = await startArrivals();
  const program = await startProgram({ ...target, roles: 'worker', variables: { LOG_LEVEL: 'warn' } });
  try {
    const [busy, many] = [await makeOrganization(sql), await makeOrganization(sql)];
    await addWebhooks(sql, target, busy, { url: receiver.url, webhooks: 1 });
    await addWebhooks(sql, target, many, { url: beside.url, webhooks: others });
    const measure = async (): Promise<{ p50: number; p99: number }> => {
      beside.arrivals.length = 0;
      const due = performance.now();
      await addDeliveries(sql, many, 1);
      while (beside.arrivals.length < others) await sleep(5);
      const waited = beside.arrivals.map((at) => at - due).sort((a, b) => a - b);
      return { p50: percentile(waited, 0.5), p99: percentile(waited, 0.99) };
    };
    const measured: { without: { p50: number; p99: number }; with: { p50: number; p99: number } }[] = [];
    for (let pair = 0; pair <= pairs; pair += 1) {
      await untilWaiting(sql, many, 0);
      const without = await measure();
      await addDeliveries(sql, busy, backlog);
      await untilSome(sql, busy, backlog);
      const besideIt = await measure();
      const left = await waiting(sql, busy);
      say(
        `${pair === 0 ? 'Warm-up' : `Pair ${pair}`}: p50 ${ms(without.p50)} and ${ms(besideIt.p50)}, p99 ${ms(without.p99)} and ${ms(besideIt.p99)}; ${left} of the backlog are left`,
      );
      if (left === 0) throw new Error('The backlog was gone before the others were served');
      await sql`delete from deliveries where organization_id = ${busy.id}`;
      if (pair > 0) measured.push({ without, with: besideIt });
    }
    const what = `deliveries of ${others} webhooks beside a backlog of ${backlog}`;
    return (['p50', 'p99'] as const).flatMap((each) => [
      {
        what: `${what}, ${each}`,
        value: rounded(median(measured.map((pair) => pair.with[each]))),
        unit: 'ms',
      },
      {
        what: `${what}, ${each} against the same without it`,
        value: rounded(median(measured.map((pair) => pair.with[each] / pair.without[each])), 2),
        unit: '',
      },
    ]);
  } finally {
    await program.end('SIGTERM');
    receiver.stop();
    beside.stop();
    await sql`delete from deliveries`;
    await sql.end();
  }
}

const ms = (value: number): string => `${value.toFixed(0)} ms`;

/** Notes when requests come. */
async function startArrivals() {
  const arrivals: number[] = [];
  const server = createServer((request, response) => {
    arrivals.push(performance.now());
    request.resume();
    response.end();
  }).listen(0, '127.0.0.1');
  await once(server, 'listening');
  const { port } = server.address() as AddressInfo;
  const stop = (): void => {
    server.close();
    server.closeAllConnections();
  };
  return { url: `http://127.0.0.1:${port}`, arrivals, stop };
}

async function waiting(sql: Database, { id }: BenchOrganization): Promise<number> {
  const [row] = await sql<{ count: number }[]>`
    select count(*)::integer from deliveries where organization_id = ${id}`;
  return row?.count ?? 0;
}

async function untilWaiting(sql: Database, organization: BenchOrganization, count: number): Promise<void> {
  while ((await waiting(sql, organization)) > count) await sleep(20);
}

/** Until the backlog is being sent, as fast as its webhook takes it. */
const untilSome = (sql: Database, organization: BenchOrganization, backlog: number): Promise<void> =>
  untilWaiting(sql, organization, backlog - 1000);
