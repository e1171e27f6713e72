import { median, type Row, rounded } from '../row.ts';
import { ratesFor, withBacklog } from './drain.ts';
import type { BenchTarget } from './organization.ts';

export interface SecondWorkerOptions {
  /** Due deliveries, more than are sent meanwhile. */
  size: number;
  /** How long receivers take. */
  answerMs: number;
  pairs: number;
  warmUp: number;
  seconds: number;
}

/** Two workers against one: the second one comes and goes, so that what else the machine does meets both. */
export function measureSecondWorker(
  target: BenchTarget,
  { size, answerMs, pairs, warmUp, seconds }: SecondWorkerOptions,
  say: (line: string) => void,
): Promise<Row[]> {
  return withBacklog(target, { answerMs }, async ({ receiver, fill, startWorker }) => {
    await fill(size);
    const worker = await startWorker();
    const ratios: number[] = [];
    for (let pair = 1; pair <= pairs; pair += 1) {
      const alone = median(await ratesFor(receiver, { warmUp, seconds }));
      const second = await startWorker();
      const both = median(await ratesFor(receiver, { warmUp, seconds }));
      await second.end('SIGTERM');
      say(`One worker ${alone}/s, two ${both}/s`);
      ratios.push(both / alone);
    }
    await worker.end('SIGTERM');
    return [
      {
        what: `two workers against one, receivers take ${answerMs} ms`,
        value: rounded(median(ratios), 2),
        unit: '',
        goal: '>= 1.00',
      },
    ];
  });
}
