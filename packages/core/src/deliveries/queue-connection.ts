import { connect, type Database } from '../database/connect.ts';

/**
 * The connections that work on the queue of deliveries; their own, so that a busy API cannot keep them waiting.
 * A plan made while nothing waits must still fit when a million waits, so their statements walk along indexes and
 * never read a whole table.
 */
export const connectQueue = (databaseUrl: string): Database =>
  connect(databaseUrl, {
    connections: 3,
    name: 'dealkeep deliveries',
    settings: {
      enable_seqscan: 'off',
      enable_bitmapscan: 'off',
      enable_hashjoin: 'off',
      enable_mergejoin: 'off',
      jit: 'off',
    },
  });
