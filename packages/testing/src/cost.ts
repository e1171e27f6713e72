import { readFileSync } from 'node:fs';
import { basename } from 'node:path';
import type postgres from 'postgres';

/** Processor time that a test file took, in seconds. */
export interface Cost {
  /** Of the process that runs the tests. */
  readonly tests: number;
  /** Of the programs that the tests started and that have ended. */
  readonly programs: number;
  /** Of the connections to the test run's PostgreSQL. */
  readonly database: number;
}

const ticksPerSecond = 100;

/** Which files only `npm run test:all` runs. */
export const isLong = (file: string): boolean => file.endsWith('.long.test.ts');

/**
 * CPU seconds that a file of the quick run may take: twice what the dearest takes, since a busy machine counts more.
 */
const quickSeconds = 6;

/** Raises an error where a file of the quick run has taken more than is good for everybody who waits for it. */
export function requireQuick(file: string, cost: Cost): void {
  if (!file.endsWith('.test.ts') || isLong(file) || totalOf(cost) <= quickSeconds) return;
  const { tests, programs, database } = cost;
  const [all, ...parts] = [totalOf(cost), tests, programs, database].map((seconds) => seconds.toFixed(1));
  throw new Error(
    `This file took ${all} s of CPU (tests ${parts[0]}, programs that they started ${parts[1]}, PostgreSQL ${parts[2]}). In the quick run a file may take ${quickSeconds}: make it cheaper, or move what takes long to ${basename(file, '.test.ts')}.long.test.ts, which npm run test:all runs.`,
  );
}

/** What each connection's process had taken when it was last looked at, by its process number. */
const counted = new Map<number, number>();
let databaseTicks = 0;

/** What this process has taken since it began; `undefined` where the system has no `/proc` to read it from. */
export function costSoFar(): Cost | undefined {
  const own = ticksOf('self');
  if (!own) return undefined;
  const { user, system } = process.cpuUsage();
  return {
    tests: (user + system) / 1e6,
    programs: own.ended / ticksPerSecond,
    database: databaseTicks / ticksPerSecond,
  };
}

export const costSince = (before: Cost, now: Cost): Cost => ({
  tests: now.tests - before.tests,
  programs: now.programs - before.programs,
  database: now.database - before.database,
});

export const totalOf = ({ tests, programs, database }: Cost): number => tests + programs + database;

/** Adds what the connections to a database have taken; to be called before they are closed. */
export async function countConnections(server: postgres.Sql, databases: readonly string[]): Promise<void> {
  if (!ticksOf('self')) return;
  const rows = await server<{ pid: number }[]>`
    select pid from pg_stat_activity where datname = any(${databases}::text[])`;
  for (const { pid } of rows) {
    const ticks = ticksOf(pid)?.own ?? 0;
    const before = counted.get(pid) ?? 0;
    databaseTicks += ticks < before ? ticks : ticks - before;
    counted.set(pid, ticks);
  }
}

/** Of a process, and of its children that have ended; `proc_pid_stat(5)`, fields 14 to 17. */
function ticksOf(pid: number | 'self'): { own: number; ended: number } | undefined {
  let text: string;
  try {
    text = readFileSync(`/proc/${pid}/stat`, 'utf8');
  } catch {
    return undefined;
  }
  const fields = text
    .slice(text.lastIndexOf(')') + 2)
    .split(' ')
    .map(Number);
  const [user = 0, system = 0, endedUser = 0, endedSystem = 0] = fields.slice(11, 15);
  return { own: user + system, ended: endedUser + endedSystem };
}
