import type { Statements } from '../database/connect.ts';
import { processMissedAfterSeconds } from '../operating-limits.ts';

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

/** The processes that run at this moment, on whatever machine, the longest running first. */
export const runningProcesses = (sql: Statements): Promise<RunningProcess[]> => sql<RunningProcess[]>`
  select id, roles, host, version, secrets_key, secrets_keys, deliveries_held, connections, started_at from processes
  where seen_at > now() - make_interval(secs => ${processMissedAfterSeconds}) order by started_at, id`;
