import { queueLimits as limits } from '../operating-limits.ts';
import { connect, type Database } from './connect.ts';
import { oneServer, type Placement } from './placement.ts';

/** The connections of a worker that work on the queue; their own, so that a busy API cannot keep them waiting. */
export interface QueueConnections {
  /** For leases, which do not wait for the disk: a lease that is lost in a crash of the server is taken again. */
  claims: Database;
  results: Database;
  /** For the delivery log, which deliveries never wait for. */
  log: Database;
}

/**
 * A plan made while nothing waits must still fit when a million waits, so the statements on these connections walk
 * along indexes and never read a whole table.
 */
const settings = {
  enable_seqscan: 'off',
  enable_bitmapscan: 'off',
  enable_hashjoin: 'off',
  enable_mergejoin: 'off',
  jit: 'off',
};

export function connectQueue(
  databaseUrl: string,
  { placement = oneServer }: { readonly placement?: Placement } = {},
): QueueConnections {
  const planned = { ...settings, ...placement.ofQueue };
  const withoutWaiting = { ...planned, synchronous_commit: 'off' };
  return {
    claims: connect(databaseUrl, {
      connections: 1,
      name: 'dealkeep claims',
      limits,
      settings: withoutWaiting,
    }),
    results: connect(databaseUrl, { connections: 2, name: 'dealkeep results', limits, settings: planned }),
    log: connect(databaseUrl, {
      connections: 1,
      name: 'dealkeep delivery log',
      limits,
      settings: withoutWaiting,
    }),
  };
}
