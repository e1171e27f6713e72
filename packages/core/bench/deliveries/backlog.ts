import { setTimeout as sleep } from 'node:timers/promises';
import { median, type Row, rounded } from '../row.ts';
import { mostMemory, withBacklog } from './drain.ts';
import type { BenchTarget } from './organization.ts';

/**
 * After so many deliveries the worker's code is compiled: its first thousands take two to three times their CPU
 * time.
 */
const warmUp = 30_000;
/** Of the start and of the end, whatever a tenth takes. */
const fewestSeconds = 3;

/**
 * How one worker drains a backlog of so many due deliveries from its start to its end, and the memory that it takes.
 * The worker has just sent others, so that the start shows the backlog rather than a process that begins.
 */
export function measureBacklog(
  target: BenchTarget,
  size: number,
  say: (line: string) => void,
): Promise<Row[]> {
  return withBacklog(target, {}, async ({ receiver, fill, startWorker }) => {
    const worker = await startWorker();
    await fill(warmUp);
    await receiver.received(warmUp);
    await receiver.reset();
    await fill(size);
    let told = 0;
    for (let count = 0; count < size; { count } = await receiver.received(0)) {
      if (count >= told + size / 10) {
        told = count;
        say(`${count.toLocaleString('en')} are delivered; memory ${await mostMemory(worker)} MB`);
      }
      await sleep(200);
    }
    const { perSecond } = await receiver.received(size);
    const memory = await mostMemory(worker);
    await worker.end('SIGTERM');
    const first = median(tenth(perSecond, size));
    const last = median(tenth(perSecond.toReversed(), size));
    const backlog = `backlog of ${size.toLocaleString('en')}`;
    return [
      { what: `${backlog}, first tenth`, value: rounded(first, 0), unit: '/s' },
      { what: `${backlog}, last tenth`, value: rounded(last, 0), unit: '/s' },
      {
        what: `${backlog}, last against first`,
        value: rounded(last / first, 2),
        unit: '',
        goal: '0.80 to 1.20',
      },
      { what: 'memory of a worker at most', value: memory, unit: 'MB', goal: '<= 300' },
    ];
  });
}

/** The seconds in which the first tenth came, but not the first of them, which is not whole at either end. */
function tenth(perSecond: readonly number[], size: number): number[] {
  let count = 0;
  const seconds = perSecond.findIndex((each) => {
    count += each;
    return count >= size / 10;
  });
  return perSecond.slice(1, Math.max(1 + fewestSeconds, seconds + 1));
}
