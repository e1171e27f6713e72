import type { Core } from '../core.ts';
import type { Database, Transaction } from '../database/connect.ts';
import { isConcurrencyFailure } from '../database/failures.ts';
import { inTransaction } from '../database/in-transaction.ts';
import { type EmittedEvent, EventBook } from '../events/event-book.ts';
import type { Changing } from './verb.ts';

/** Concurrent transactions that collide are run again this often. */
const tries = 3;

/** Set during a transaction: what waits for its commit. */
interface Wake {
  /** Deliveries that no event of this transaction caused. */
  needed: boolean;
  emitted: readonly EmittedEvent[];
}

/** Whose records change. */
export interface OrganizationName {
  readonly id: string;
  readonly slug: string;
}

/** After the commit: wakes the deliveries of the events. */
export function tellEmitted(core: Core, emitted: readonly EmittedEvent[]): void {
  if (emitted.some(({ deliveries }) => deliveries > 0)) core.deliveryWakeUp.send();
  for (const event of emitted) {
    core.log[event.deliveries + event.held > 0 ? 'info' : 'debug'](event, 'Event emitted');
  }
}

/** One transaction; run again when it collides with another; after the commit, its deliveries are woken. */
export async function waking<Result>(
  core: Core,
  pool: Database,
  work: (tx: Transaction, wake: Wake) => Promise<Result>,
): Promise<Result> {
  for (let attempt = 1; ; attempt += 1) {
    const wake: Wake = { needed: false, emitted: [] };
    try {
      const committed = await inTransaction(pool, async (tx) => ({ result: await work(tx, wake) }));
      if (wake.needed) core.deliveryWakeUp.send();
      tellEmitted(core, wake.emitted);
      return committed.result;
    } catch (error) {
      if (attempt < tries && isConcurrencyFailure(error)) continue;
      throw error;
    }
  }
}

/** Runs work that may say what happened, and writes its events at the end. */
export async function withEvents<Result>(
  scope: { core: Core; organization: OrganizationName; now: string; tx: Transaction; wake: Wake },
  work: (changing: Changing) => Promise<Result>,
): Promise<Result> {
  const { core, organization, now, tx, wake } = scope;
  const book = new EventBook(organization, now);
  const result = await work({
    core,
    sql: tx,
    organization: organization.id,
    now,
    emit: (type, record) => book.add(type, record),
    emitUpdated: (type, before, after) => book.addUpdated(type, before, after),
  });
  const emitted = await book.write(tx);
  wake.emitted = [...wake.emitted, ...emitted];
  return result;
}

/**
 * A change that no API operation makes (a sweep, an action of the console): one transaction with its events and
 * deliveries.
 */
export function transact<Result>(
  core: Core,
  organization: OrganizationName,
  work: (changing: Changing) => Promise<Result>,
): Promise<Result> {
  const now = core.clock.now().toISOString();
  return waking(core, core.sql, (tx, wake) => withEvents({ core, organization, now, tx, wake }, work));
}
