import {
  connectionsOfWorker,
  directConnections,
  isPooled,
  otherConnections,
} from '@dealkeep/core/foundations';
import type { Configuration } from './configuration.ts';

/**
 * Connections of PostgreSQL itself that a process opens at most. Those that it opens to a pooler are none: how many
 * of them reach PostgreSQL is the pooler's choice.
 */
export function connectionsOf({
  databaseUrl,
  databasePool,
  roles,
}: Pick<Configuration, 'databaseUrl' | 'databasePool' | 'roles'>): number {
  const isBehindPooler = databaseUrl !== undefined && isPooled(databaseUrl);
  const ofEach = isBehindPooler ? directConnections : databasePool + otherConnections;
  return ofEach + (roles.has('worker') ? connectionsOfWorker : 0);
}
