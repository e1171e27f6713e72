import type { Database } from '@dealkeep/core/foundations';
import type { RunningProcess } from '@dealkeep/core/installation';
import type { Configuration } from '../configuration.ts';
import { connectionsOf } from '../connections-of.ts';
import type { Finding } from './finding.ts';

export interface Connections {
  most: number;
  used: number;
  ours: number;
}

/** The least of what the server, the database and the role allow, and how many are in use. */
export async function readConnections(sql: Database): Promise<Connections> {
  const [row] = await sql<Connections[]>`
    select least(
             current_setting('max_connections')::integer - current_setting('superuser_reserved_connections')::integer,
             (select nullif(datconnlimit, -1) from pg_database where datname = current_database()),
             (select nullif(rolconnlimit, -1) from pg_roles where rolname = current_user)) as most,
           count(*)::integer as used,
           count(*) filter (where application_name like 'dealkeep%' and datname = current_database())::integer as ours
    from pg_stat_activity where backend_type = 'client backend'`;
  if (!row) throw new Error('A count gave no row');
  return row;
}

export function connectionFinding(
  { most, used, ours }: Connections,
  processes: readonly RunningProcess[],
): Finding {
  const check = 'Connections';
  const needed = processes.reduce((sum, { connections }) => sum + connections, 0);
  const finding = `${used} of ${most} are in use; what runs opens ${needed} at most, others have ${used - ours}`;
  if (needed + used - ours <= most) return { check, state: 'ok', finding };
  return {
    check,
    state: 'warning',
    finding,
    mend: 'Lower DATABASE_POOL, or raise max_connections (or the limit of the role or the database), or put a pooler before the processes with ROLES=api.',
  };
}

/** Whether a process with this configuration could open all that it may, beside whoever is there already. */
export function connectionsWanted({ most, used }: Connections, configuration: Configuration): Finding {
  const check = 'Pool';
  const wanted = connectionsOf(configuration);
  const finding = `a process of this configuration opens up to ${wanted} connections, and the server takes ${most}`;
  if (wanted <= most) return { check, state: 'ok', finding };
  const mend = `Set DATABASE_POOL to ${Math.max(2, configuration.databasePool - (wanted - most))} at most, or raise max_connections of the server (${used} are in use).`;
  return { check, state: 'failed', finding, mend };
}
