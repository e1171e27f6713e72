import { hash } from 'node:crypto';
import type { Core } from '../core.ts';
import type { Database, Transaction } from '../database/connect.ts';
import { inTransaction } from '../database/in-transaction.ts';
import { type EmittedEvent, EventBook } from '../events/event-book.ts';
import { answerOnce } from '../idempotency/answer-once.ts';
import type { Changing } from './verb.ts';

/** Set during a transaction: what waits for its commit. */
export interface Wake {
  /** Deliveries that no event of this transaction caused. */
  needed: boolean;
  emitted: readonly EmittedEvent[];
}

/** Makes a change happen once, however often its form is sent. */
export interface Once {
  /** Id of the person who sends it. */
  readonly person: string;
  /** Of the form. */
  readonly key: string;
  /** What was sent; the same key with anything else is refused as IDEMPOTENCY_KEY_REUSED. */
  readonly input: unknown;
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

/** One transaction; after the commit, its deliveries are woken and its events told. */
export async function waking<Result>(
  core: Core,
  pool: Database,
  work: (tx: Transaction, wake: Wake) => Promise<Result>,
): Promise<Result> {
  const { result, wake } = await inTransaction(pool, async (tx) => {
    const wake: Wake = { needed: false, emitted: [] };
    return { result: await work(tx, wake), wake };
  });
  if (wake.needed) core.deliveryWakeUp.send();
  tellEmitted(core, wake.emitted);
  return result;
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
  once?: Once,
): Promise<Result> {
  const now = core.clock.now().toISOString();
  return waking(core, core.sql, async (tx, wake) => {
    const run = (sql: Transaction) => withEvents({ core, organization, now, tx: sql, wake }, work);
    if (!once) return run(tx);
    const answer = await answerOnce(
      {
        ...{ core, tx, now },
        credential: { id: once.person, organization },
        idempotency: { key: once.key, fingerprint: hash('sha256', JSON.stringify(once.input), 'buffer') },
        // What was refused is not stored: the form can be sent again.
        encode: ({ problem }) => {
          throw problem;
        },
      },
      async (sql) => ({ status: 200, body: JSON.stringify(await run(sql)), noStore: false }),
    );
    return JSON.parse(answer.body);
  });
}
