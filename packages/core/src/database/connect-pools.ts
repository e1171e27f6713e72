import { connect, type Database } from './connect.ts';
import { readinessLimits, slowRequestLimits } from './time-limits.ts';

/** The connections by which a process answers requests. */
export interface RequestPools {
  sql: Database;
  /** A small pool of its own for statements that take longer, so that they never starve the rest. */
  slowSql: Database;
  /** A connection of its own for the gauges of `/metrics`: they tell of the database also while requests fill the pools. */
  gaugesSql: Database;
  /** A connection of its own to find out, soon, whether the database answers. */
  readinessSql: Database;
}

const slowConnections = 3;

/** Pools that connect on first use. The caller ends each. */
export const connectPools = (url: string, connections: number): RequestPools => ({
  sql: connect(url, { connections, name: 'dealkeep' }),
  slowSql: connect(url, { connections: slowConnections, name: 'dealkeep slow', limits: slowRequestLimits }),
  gaugesSql: connect(url, { connections: 1, name: 'dealkeep gauges' }),
  readinessSql: connect(url, { connections: 1, name: 'dealkeep readiness', limits: readinessLimits }),
});
