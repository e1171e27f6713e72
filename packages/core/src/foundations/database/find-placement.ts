import { severalServers } from './citus.ts';
import type { Statements } from './connect.ts';
import { isDistributed } from './distribute.ts';
import { oneServer, type Placement } from './placement.ts';

/**
 * How the records of this database are placed. Asked once, at the start of a process: `scale-out` runs while none
 * does.
 */
export const findPlacement = async (sql: Statements): Promise<Placement> =>
  (await isDistributed(sql)) ? severalServers : oneServer;
