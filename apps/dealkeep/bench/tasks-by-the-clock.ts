import { createCore } from '@dealkeep/core';
import {
  connect,
  connectPools,
  noLimits,
  oneServer,
  parseAllowedTargets,
  Secrets,
  systemClock,
} from '@dealkeep/core/foundations';
import { scheduledTasks } from '@dealkeep/worker';
import { cpuSecondsOfFamily } from './processes.ts';

export interface TaskCost {
  name: string;
  timesAnHour: number;
  /** CPU of one run, of the worker and of PostgreSQL. */
  seconds: number;
}

const quiet = { debug() {}, info() {}, warn() {}, error() {} };
/** /proc counts in hundredths of a second: a task is run until it has had some of them. */
const [leastRounds, leastMs] = [3, 2000];

/** What each task by the clock takes that finds nothing to do. */
export async function costOfTasks(url: string, postmaster: number): Promise<TaskCost[]> {
  const pools = connectPools(url, 2);
  const sql = connect(url, { connections: 1, name: 'bench tasks', limits: noLimits });
  const core = createCore({
    ...pools,
    sql,
    placement: oneServer,
    databaseUrl: url,
    clock: systemClock,
    log: quiet,
    origin: 'http://localhost',
    environment: 'live',
    secrets: new Secrets([Buffer.alloc(32, 7)]),
    allowedTargets: parseAllowedTargets(''),
  });
  const used = async (): Promise<number> => {
    const { user, system } = process.cpuUsage();
    return (user + system) / 1e6 + ((await cpuSecondsOfFamily(postmaster)) ?? Number.NaN);
  };
  const costs: TaskCost[] = [];
  try {
    for (const { name, schedule, environment, run } of scheduledTasks) {
      if (environment !== undefined) continue;
      // The first removes what is old, and is compiled.
      await run(core);
      const before = await used();
      const began = performance.now();
      let rounds = 0;
      for (; rounds < leastRounds || performance.now() - began < leastMs; rounds += 1) await run(core);
      costs.push({ name, timesAnHour: timesAnHour(schedule), seconds: ((await used()) - before) / rounds });
    }
  } finally {
    await Promise.all([sql, ...Object.values(pools)].map((each) => each.end()));
  }
  return costs;
}

function timesAnHour(schedule: string): number {
  const [minute = '', hour = ''] = schedule.split(' ');
  if (minute === '*') return 60;
  return hour === '*' ? 1 : 1 / 24;
}
