import { hash } from 'node:crypto';
import type { Core } from '../core.ts';
import type { Fragment, Transaction } from '../database/connect.ts';
import { inTransaction } from '../database/in-transaction.ts';
import type { Directory } from '../directory/directory.ts';
import { type Caused, caused, causedDeliveries } from '../events/caused-deliveries.ts';
import { type EmittedEvent, EventBook, emittedEvents, insertEvents } from '../events/event-book.ts';
import { type Answer, isStored, StoredAnswer } from '../idempotency/stored-answer.ts';
import { Problem } from '../problem.ts';
import type { Changing } from './verb.ts';

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

/** A change, and what a repeat of it gets. */
interface Change<Result> {
  readonly organization: OrganizationName;
  /** RFC 3339, UTC. */
  readonly now: string;
  /** What is told instead of what the work raised; asked when all that it did is undone. */
  retold?(problem: Problem): Promise<unknown>;
  /** Undefined where every repeat is another change. */
  readonly once?:
    | {
        readonly stored: StoredAnswer;
        /** What is stored of a result. */
        toAnswer(result: Result): Answer;
        fromAnswer(answer: Answer): Result;
        /** What is stored of a refusal; undefined where it may be tried again. */
        refusal?(problem: Problem): Answer;
      }
    | undefined;
}

/**
 * The one way to write: a transaction of the work and then, in one statement, its events with their deliveries and the
 * answer that a repeat gets. After the commit its deliveries are woken and its events told.
 *
 * The work takes the directory from memory, and that last statement says whether it still holds; if not, all is undone
 * and done again with the one that does. A refusal undoes all, too; that there was one is stored by itself.
 */
export async function change<Result>(
  core: Core,
  asked: Change<Result>,
  work: (changing: Changing) => Promise<Result>,
): Promise<Result> {
  const { organization, once } = asked;
  for (;;) {
    const relied: ReliedOn = { begun: false, directory: undefined };
    try {
      const { result, emitted } = await attempt(core, asked, relied, work);
      tellEmitted(core, emitted);
      return result;
    } catch (raised) {
      if (raised instanceof AnsweredMeanwhile) continue;
      if (raised instanceof Problem || raised instanceof DirectoryChanged) {
        if (relied.directory && (await isOutdated(core, organization.id, relied.directory))) continue;
      }
      const retold = raised instanceof Problem ? asked.retold?.(raised) : undefined;
      const error = (await retold) ?? raised;
      if (!(error instanceof Problem)) throw error;
      const refusal = relied.begun && isStored(error) ? once?.refusal?.(error) : undefined;
      if (!once || !refusal) throw error;
      const stored = await core.sql`${once.stored.insert(core.sql, refusal)}`;
      if (stored.count > 0) return once.fromAnswer(refusal);
    }
  }
}

/** Set while an attempt runs. */
interface ReliedOn {
  /** It is the one that works for its key. */
  begun: boolean;
  /** What it took from memory. */
  directory: Directory | undefined;
}

/** Raised to undo a transaction: somebody else stored an answer for its key. The next attempt finds that one. */
class AnsweredMeanwhile extends Error {}

/** Raised to undo a transaction: the directory is another one than it took from memory. */
class DirectoryChanged extends Error {}

/** Takes the directory as it is now into memory, and tells whether that is another one. */
async function isOutdated(core: Core, organization: string, { version }: Directory): Promise<boolean> {
  const current = await core.directories.current(core.sql, organization);
  return current.version !== version;
}

interface Attempted<Result> {
  readonly result: Result;
  readonly emitted: readonly EmittedEvent[];
}

const attempt = <Result>(
  core: Core,
  { organization, now, once }: Change<Result>,
  relied: ReliedOn,
  work: (changing: Changing) => Promise<Result>,
): Promise<Attempted<Result>> =>
  inTransaction(core.sql, async (tx) => {
    // It is run again where it collided with another one, perhaps with one that removed what memory still has.
    if (relied.directory) relied.directory = await core.directories.current(tx, organization.id);
    const replayed = await once?.stored.claim(tx);
    if (once && replayed) return { result: once.fromAnswer(replayed), emitted: [] };
    relied.begun = true;
    const book = new EventBook(organization, now);
    const result = await work({
      core,
      sql: tx,
      organization: organization.id,
      now,
      async directory() {
        relied.directory ??=
          core.directories.known(organization.id) ?? (await core.directories.current(tx, organization.id));
        return relied.directory;
      },
      emit: (type, record) => book.add(type, record),
      emitUpdated: (type, before, after) => book.addUpdated(type, before, after),
    });
    const answer = once && { insert: once.stored.insert(tx, once.toAnswer(result)) };
    if (!answer && !relied.directory && book.isEmpty) return { result, emitted: [] };
    const { emitted, version, answered } = await writeEnd(tx, organization.id, book, answer?.insert);
    if (!answered) throw new AnsweredMeanwhile();
    if (relied.directory && relied.directory.version !== version) throw new DirectoryChanged();
    return { result, emitted };
  });

/** The last statement: events, what they cause and the answer go in; what was relied on is looked at once more. */
export async function writeEnd(
  tx: Transaction,
  organization: string,
  book: EventBook,
  answer: Fragment | undefined,
): Promise<{ emitted: EmittedEvent[]; version: number; answered: boolean }> {
  const events = book.rows();
  const [row] = await tx<{ caused: Caused[]; version: number; answered: boolean }[]>`
    with ${insertEvents(tx, organization, events)}, ${causedDeliveries(tx)},
         answered as (${answer ?? tx`select true as stored`})
    select (select directory_version from organizations where id = ${organization}) as version,
           exists (select from answered) as answered,
           (select coalesce(json_agg(each), '[]') from (${caused(tx)}) each) as caused`;
  if (!row) throw new Error(`There is no organization ${organization}`);
  return { ...row, emitted: emittedEvents(organization, events, row.caused) };
}

/** After the commit: wakes the deliveries of the events. */
function tellEmitted(core: Core, emitted: readonly EmittedEvent[]): void {
  if (emitted.some(({ deliveries }) => deliveries > 0)) core.deliveryWakeUp.send();
  for (const event of emitted) {
    core.log[event.deliveries + event.held > 0 ? 'info' : 'debug'](event, 'Event emitted');
  }
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
  if (!once) return change(core, { organization, now }, work);
  const { person, key, input } = once;
  const idempotency = { key, fingerprint: hash('sha256', JSON.stringify(input), 'buffer') };
  const stored = new StoredAnswer(core, { owner: { id: person, organization }, idempotency, now });
  // What was refused is not stored: the form can be sent again.
  const ofForm = {
    stored,
    toAnswer: (result: Result): Answer => ({ status: 200, body: JSON.stringify(result), noStore: false }),
    fromAnswer: ({ body }: Answer): Result => JSON.parse(body),
  };
  return change(core, { organization, now, once: ofForm }, work);
}

/**
 * What a form replaces as a whole must be what the form showed. Raises CONFLICT when somebody changed the record
 * meanwhile.
 *
 * @param unchangedSince the `updated_at` that it must still have; whatever it has when absent
 */
export function requireUnchanged(
  { updated_at }: { readonly updated_at: string | null },
  unchangedSince: string | undefined,
): void {
  if (unchangedSince !== undefined && updated_at !== unchangedSince) throw new Problem('record.changed');
}
