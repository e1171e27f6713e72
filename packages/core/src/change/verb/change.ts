import { EndingWith, inChange } from '../../foundations/database/in-transaction.ts';
import { Problem } from '../../foundations/problem.ts';
import { tracing } from '../../foundations/tracing.ts';
import type { EmittedEvent } from '../events/outbox.ts';
import { type Answer, isStored, type StoredAnswer } from '../idempotency/stored-answer.ts';
import type { Services } from '../services.ts';
import { AnsweredMeanwhile, type EndWritten, ReferenceDataChanged } from './last-statement.ts';
import { type OrganizationName, PartRefused, type ReliedOn, UnitOfWork } from './unit-of-work.ts';
import type { Changing } from './verb.ts';

/** A change, and what a repeat of it gets. */
interface Change<Result> {
  readonly organization: OrganizationName;
  /** RFC 3339, UTC. */
  readonly now: string;
  /** An entry of the audit log that is there already, by which its events come about: that of an import. */
  readonly auditEntry?: string | null;
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
 * The one way to write: a transaction of the work and then, in one statement, what it wrote last, its events with
 * their deliveries, who did what, and the answer that a repeat gets. After the commit the jobs of its deliveries are
 * added and its events told.
 *
 * The work takes the reference data from memory, and that last statement says whether it still holds; if not, all is
 * undone and done again with the one that does. A refusal undoes all, too; that there was one is stored by itself.
 */
export async function change<Result>(
  core: Services,
  asked: Change<Result>,
  work: (changing: Changing) => Promise<Result>,
): Promise<Result> {
  const { organization, once } = asked;
  let guarded = false;
  for (;;) {
    const relied: ReliedOn = { begun: false, referenceData: undefined, renewals: 0, guarded, parted: false };
    try {
      const { result, emitted, webhooks, afterwards } = await attempt(core, asked, relied, work);
      core.deliveryJobs.add(organization.id, webhooks);
      tellEmitted(core, emitted);
      for (const each of afterwards) await each();
      return result;
    } catch (raised) {
      if (raised instanceof AnsweredMeanwhile) continue;
      if (raised instanceof PartRefused) {
        guarded = true;
        continue;
      }
      if (raised instanceof Problem || raised instanceof ReferenceDataChanged) {
        if (await isOutdated(core, organization.id, relied)) continue;
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

/** Takes the reference data as it is now into memory, and tells whether it has changed. */
async function isOutdated(
  core: Services,
  organization: string,
  { referenceData, renewals }: ReliedOn,
): Promise<boolean> {
  if (!referenceData) return false;
  const current = await core.referenceDataCache.current(core.sql, organization);
  return current.version !== referenceData.version - renewals;
}

/** What an attempt has done, now that it is committed. */
interface Attempted<Result> extends EndWritten {
  readonly result: Result;
  readonly afterwards: UnitOfWork['afterwards'];
}

const nothingEmitted: EndWritten = { emitted: [], webhooks: [] };

const attempt = <Result>(
  core: Services,
  { organization, now, once, auditEntry = null }: Change<Result>,
  relied: ReliedOn,
  work: (changing: Changing) => Promise<Result>,
): Promise<Attempted<Result>> =>
  inChange(core, async (tx) => {
    // inChange repeats what collided with another transaction, and that may have changed the small tables.
    if (relied.referenceData)
      relied.referenceData = await core.referenceDataCache.current(tx, organization.id);
    relied.renewals = 0;

    const replayed = await once?.stored.claim(tx);
    if (once && replayed) return { result: once.fromAnswer(replayed), afterwards: [], ...nothingEmitted };
    relied.begun = true;

    const unit = new UnitOfWork(core, { organization, now }, relied);
    const result = await work(unit.changing(tx));

    const { afterwards } = unit;
    const answer = once?.stored.insert(tx, once.toAnswer(result));
    if (!answer && unit.isWritten) {
      await unit.write(tx);
      return { result, afterwards, ...nothingEmitted };
    }
    // It goes together with the commit, which it prevents by failing.
    const end = await unit.end(tx, { auditEntry, answer });
    return new EndingWith(end.statement, async () => ({ result, afterwards, ...(await end.written()) }));
  });

/** After the commit. */
function tellEmitted(core: Services, emitted: readonly EmittedEvent[]): void {
  for (const event of emitted) {
    core.log[event.deliveries + event.held > 0 ? 'info' : 'debug'](event, 'Event emitted');
    core.waitingReaders.tell(event.organization_id);
    tracing?.eventBegan(event.event_id, event.type);
  }
}
