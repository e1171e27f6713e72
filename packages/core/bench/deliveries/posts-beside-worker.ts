import { setTimeout as sleep } from 'node:timers/promises';
import type { Database } from '@dealkeep/core/foundations';
import { startProgram } from '../../test/deliveries/running-program.ts';
import { median, percentile, type Row, rounded } from '../row.ts';
import { makeLeads, post } from './leads.ts';
import { type BenchOrganization, type BenchTarget, connectBench, makeOrganization } from './organization.ts';
import { startBenchReceiver } from './receiver.ts';

interface Measured {
  perSecond: number;
  p50: number;
}

/**
 * How fast leads are made as fast as clients can: of an organization without a hook, of one with a hook while no
 * worker runs, and while one delivers beside it, in turn. API and worker are processes of their own.
 */
export async function measurePostsBesideWorker(
  target: BenchTarget,
  { leads, rounds }: { leads: number; rounds: number },
  say: (line: string) => void,
): Promise<Row[]> {
  const sql = connectBench(target);
  const receiver = await startBenchReceiver();
  const variables = { LOG_LEVEL: 'warn' };
  const api = await startProgram({ ...target, roles: 'api', variables });
  try {
    const [bare, hooked] = [await makeOrganization(sql), await makeOrganization(sql)];
    await post(api.baseUrl, hooked, '/webhooks', {
      target_url: `${receiver.url}/hook`,
      events: ['lead.created'],
    });
    const measure = async (organization: BenchOrganization): Promise<Measured> => {
      const started = performance.now();
      const took = await makeLeads(api.baseUrl, organization, { leads });
      const perSecond = (leads * 1000) / (performance.now() - started);
      return {
        perSecond,
        p50: percentile(
          took.toSorted((a, b) => a - b),
          0.5,
        ),
      };
    };
    const measured: Record<'bare' | 'alone' | 'delivered', Measured>[] = [];
    for (let round = 0; round <= rounds; round += 1) {
      const without = await measure(bare);
      const alone = await measure(hooked);
      const worker = await startProgram({ ...target, roles: 'worker', variables });
      await allDelivered(sql);
      const delivered = await measure(hooked);
      await allDelivered(sql);
      await worker.end('SIGTERM');
      say(
        `${round === 0 ? 'Warm-up' : `Round ${round}`}: ${shown(without)} without a hook, ${shown(alone)} with one, ${shown(delivered)} beside the worker`,
      );
      if (round > 0) measured.push({ bare: without, alone, delivered });
    }
    const ratio = (what: string, of: (each: (typeof measured)[number]) => number): Row => ({
      what: `POST /leads ${what}`,
      value: rounded(median(measured.map(of)), 2),
      unit: '',
    });
    return [
      ratio(
        'with a hook and no worker against none, rate',
        (each) => each.alone.perSecond / each.bare.perSecond,
      ),
      ratio(
        'with a hook beside the worker against no hook, rate',
        (each) => each.delivered.perSecond / each.bare.perSecond,
      ),
      ratio(
        'with a hook beside the worker against no worker, rate',
        (each) => each.delivered.perSecond / each.alone.perSecond,
      ),
      ratio(
        'with a hook beside the worker against no hook, p50',
        (each) => each.delivered.p50 / each.bare.p50,
      ),
    ];
  } finally {
    await api.end('SIGTERM');
    receiver.stop();
    await sql.end();
  }
}

const shown = ({ perSecond, p50 }: Measured): string =>
  `${perSecond.toFixed(0)} a second (p50 ${p50.toFixed(0)} ms)`;

async function allDelivered(sql: Database): Promise<void> {
  while ((await sql`select from deliveries limit 1`).length > 0) await sleep(20);
}
