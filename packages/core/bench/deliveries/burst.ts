import { startProgram } from '../../test/deliveries/running-program.ts';
import { median, type Row, rounded } from '../row.ts';
import { addDeliveries, addWebhooks } from './fill-queue.ts';
import { type BenchTarget, connectBench, makeOrganization } from './organization.ts';
import { startBenchReceiver } from './receiver.ts';

/**
 * Many deliveries of one webhook that come at once, as by an import, where PostgreSQL has counted the queue: while
 * it was idle, as it is most of the time, or with these deliveries; in turns. The first pair only warms up.
 */
export async function measureBurst(
  target: BenchTarget,
  { deliveries, pairs }: { deliveries: number; pairs: number },
  say: (line: string) => void,
): Promise<Row[]> {
  const sql = connectBench(target);
  const receiver = await startBenchReceiver();
  const organization = await makeOrganization(sql);
  await addWebhooks(sql, target, organization, { url: receiver.url, webhooks: 1 });
  const program = await startProgram({ ...target, roles: 'worker', variables: { LOG_LEVEL: 'warn' } });
  const send = async (count: number, counted: boolean): Promise<number> => {
    await receiver.reset();
    await addDeliveries(sql, organization, count, { counted });
    const began = performance.now();
    await receiver.received(count);
    return (count * 1000) / (performance.now() - began);
  };
  try {
    const rates: { idle: number; counted: number }[] = [];
    for (let pair = 0; pair <= pairs; pair += 1) {
      while ((await sql`select from deliveries limit 1`).count > 0);
      await sql`analyze`;
      // Whatever is planned now is planned for an idle queue.
      await send(4, false);
      const idle = await send(deliveries, false);
      const counted = await send(deliveries, true);
      say(
        `${pair === 0 ? 'Warm-up' : `Pair ${pair}`}: ${idle.toFixed(0)}/s, counted ${counted.toFixed(0)}/s`,
      );
      if (pair > 0) rates.push({ idle, counted });
    }
    const burst = `${deliveries.toLocaleString('en')} of one webhook at once`;
    return [
      {
        what: `${burst}, to a queue known as idle`,
        value: rounded(median(rates.map(({ idle }) => idle)), 0),
        unit: '/s',
      },
      {
        what: 'the same against a queue that was counted with them',
        value: rounded(median(rates.map(({ idle, counted }) => idle / counted)), 2),
        unit: '',
        goal: '>= 0.80',
      },
    ];
  } finally {
    await program.end('SIGTERM');
    receiver.stop();
    await sql`truncate deliveries`;
    await sql.end();
  }
}
