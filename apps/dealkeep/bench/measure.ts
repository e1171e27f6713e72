import { median } from './figures.ts';
import type { LoadResult } from './load.ts';
import { cpuSeconds, cpuSecondsOfFamily, type LoadGenerator, type RunningProcess } from './processes.ts';

/** What is measured: the processes that answer, and the requests that they get. */
export interface Target {
  processes: readonly RunningProcess[];
  /** The process of PostgreSQL that has all others as children. */
  postmaster?: number | undefined;
  requests: readonly string[];
  /** 32 when absent. */
  connections?: number;
  /** How the status of every answer begins; 2 when absent. */
  status?: string;
}

export interface Measured extends LoadResult {
  perSecond: number;
  /** Microseconds of CPU of the measured processes for a request. */
  cpu: number | undefined;
  /** The same of PostgreSQL, with all that it does besides; undefined where it is not asked. */
  databaseCpu: number | undefined;
}

/** Raises an error when anything is answered other than 2xx, or than the target says. */
export async function measure(load: LoadGenerator, target: Target, milliseconds: number): Promise<Measured> {
  const { processes, postmaster, requests, connections = 32, status: expected = '2' } = target;
  const before = await cpuOf(processes);
  const databaseBefore = postmaster && (await cpuSecondsOfFamily(postmaster));
  const ports = processes.map(({ port }) => port);
  const result = await load.run({ ports, connections, milliseconds, requests });
  const used = (await cpuOf(processes)) - before;
  const databaseAfter = postmaster && (await cpuSecondsOfFamily(postmaster));
  const strange = Object.keys(result.statuses).filter((status) => !status.startsWith(expected));
  if (strange.length > 0)
    throw new Error(`Answers other than ${expected}xx: ${JSON.stringify(result.statuses)}`);
  return {
    ...result,
    perSecond: result.requests / result.seconds,
    cpu: Number.isNaN(used) ? undefined : (used / result.requests) * 1e6,
    databaseCpu:
      databaseBefore === undefined || databaseAfter === undefined
        ? undefined
        : ((databaseAfter - databaseBefore) / result.requests) * 1e6,
  };
}

async function cpuOf(processes: readonly RunningProcess[]): Promise<number> {
  const seconds = await Promise.all(processes.map(({ pid }) => cpuSeconds(pid)));
  return seconds.reduce<number>((sum, each) => sum + (each ?? Number.NaN), 0);
}

/** Two targets measured one right after the other, so that whatever else the machine does meets both alike. */
export interface Pair {
  base: Measured;
  own: Measured;
}

export async function measurePair(
  load: LoadGenerator,
  { base, own, milliseconds }: { base: Target; own: Target; milliseconds: number },
): Promise<Pair> {
  return {
    base: await measure(load, base, milliseconds / 2),
    own: await measure(load, own, milliseconds),
  };
}

/** The throughput of the one in that of the other; the median of all pairs. */
export const ratioOf = (pairs: readonly Pair[]): number =>
  median(pairs.map(({ base, own }) => own.perSecond / base.perSecond));

/** What was seen, in medians; of the throughput also the extremes, which tell how quiet the machine was. */
export function noteOf(runs: readonly Measured[]): string {
  const of = (pick: (run: Measured) => number): string => median(runs.map(pick)).toPrecision(3);
  const perSecond = runs.map((run) => run.perSecond);
  const [least, usual, most] = [Math.min(...perSecond), median(perSecond), Math.max(...perSecond)];
  const rates = `${usual.toFixed(0)}/s (${least.toFixed(0)} to ${most.toFixed(0)})`;
  const cpu = `CPU ${of((run) => run.cpu ?? Number.NaN)} µs`;
  const asked = runs.some((run) => run.databaseCpu !== undefined);
  const databaseCpu = asked ? `, of PostgreSQL ${of((run) => run.databaseCpu ?? Number.NaN)} µs` : '';
  return `${rates}, p50 ${of((run) => run.p50)} ms, p99 ${of((run) => run.p99)} ms, ${cpu}${databaseCpu}`;
}
