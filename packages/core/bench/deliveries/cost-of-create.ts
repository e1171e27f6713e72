import { setTimeout as sleep } from 'node:timers/promises';
import type { Database } from '@dealkeep/core/foundations';
import { startProgram } from '../../test/deliveries/running-program.ts';
import { median, type Row, rounded } from '../row.ts';
import { cpuOf, cpuOfServer } from './cpu.ts';
import { makeLeads, post } from './leads.ts';
import { type BenchOrganization, type BenchTarget, connectBench, makeOrganization } from './organization.ts';
import { startBenchReceiver } from './receiver.ts';

export interface CostOfCreateOptions {
  /** Leads of one measurement. */
  leads: number;
  /** Measurements with and without the hook, in turn. */
  pairs: number;
  /** Made so many a second; as fast as eight clients can when absent. */
  perSecond?: number;
}

const microseconds = 1_000_000;

/**
 * What a keyed create with its delivery costs against the create alone: the CPU time of API, worker and PostgreSQL
 * together, until everything is delivered and logged. With and without the hook in turn, so that what else the
 * machine does meets both. Linux alone tells it.
 */
export async function measureCostOfCreate(
  target: BenchTarget,
  { leads, pairs, perSecond }: CostOfCreateOptions,
  say: (line: string) => void,
): Promise<Row[]> {
  const sql = connectBench(target);
  const receiver = await startBenchReceiver();
  const { pid, baseUrl, end } = await startProgram({ ...target, variables: { LOG_LEVEL: 'warn' } });
  try {
    const cpu = async (): Promise<number> => (await cpuOf(pid)) + (await cpuOfServer(sql));
    const [bare, hooked] = [await makeOrganization(sql), await makeOrganization(sql)];
    await post(baseUrl, hooked, '/webhooks', {
      target_url: `${receiver.url}/hook`,
      events: ['lead.created'],
    });
    const measure = async (organization: BenchOrganization): Promise<number> => {
      const before = await cpu();
      await makeLeads(baseUrl, organization, { leads, ...(perSecond === undefined ? {} : { perSecond }) });
      await allWritten(sql);
      return ((await cpu()) - before) / leads;
    };
    const ratios: number[] = [];
    const costs: number[] = [];
    for (let pair = 0; pair <= pairs; pair += 1) {
      const alone = await measure(bare);
      const delivered = await measure(hooked);
      say(
        `${pair === 0 ? 'Warm-up' : `Pair ${pair}`}: ${micros(alone)} µs alone, ${micros(delivered)} delivered`,
      );
      if (pair === 0) continue;
      ratios.push(delivered / alone);
      costs.push(delivered * microseconds);
    }
    const what = `create with its delivery${perSecond === undefined ? '' : `, ${perSecond} a second`}`;
    return [
      { what, value: rounded(median(costs), 0), unit: 'µs of CPU' },
      { what: `${what}, against the create`, value: rounded(median(ratios), 2), unit: '', goal: '<= 1.50' },
    ];
  } finally {
    await end('SIGTERM');
    receiver.stop();
    await sql.end();
  }
}

const micros = (seconds: number): string => (seconds * microseconds).toFixed(0);

/** Everything that was caused is delivered; the log is written a moment later. */
async function allWritten(sql: Database): Promise<void> {
  while ((await sql`select from deliveries limit 1`).length > 0) await sleep(20);
  await sleep(200);
}
