import type { Fragment, Statements } from '../../foundations/database/connect.ts';
import { processMissedAfterSeconds } from '../../foundations/operating-limits.ts';

/** A process that runs, as the database knows it. */
export interface RunningProcess {
  id: string;
  roles: string[];
  host: string;
  version: string;
  secrets_key: string;
  /** All that it reads with; null of a version that does not say. */
  secrets_keys: string[] | null;
  deliveries_held: boolean;
  connections: number;
  started_at: string;
}

/** A condition on `processes`. */
const isRunning = (sql: Statements): Fragment =>
  sql`seen_at > now() - make_interval(secs => ${processMissedAfterSeconds})`;

/** The processes that run at this moment, on whatever machine, the longest running first. */
export const runningProcesses = (sql: Statements): Promise<RunningProcess[]> => sql<RunningProcess[]>`
  select id, roles, host, version, secrets_key, secrets_keys, deliveries_held, connections, started_at from processes
  where ${isRunning(sql)} order by started_at, id`;

/** What they do and where, also on a database of an earlier version, which knows less of them. */
export const placesOfProcesses = (sql: Statements): Promise<Pick<RunningProcess, 'roles' | 'host'>[]> =>
  sql<
    Pick<RunningProcess, 'roles' | 'host'>[]
  >`select roles, host from processes where ${isRunning(sql)} order by started_at, id`;

export const placesOf = (running: readonly Pick<RunningProcess, 'roles' | 'host'>[]): string =>
  running.map(({ host, roles }) => `${roles.join(',')} on ${host}`).join('; ');
