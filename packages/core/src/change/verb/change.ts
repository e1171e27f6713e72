import type { Fragment, Transaction } from '../../foundations/database/connect.ts';
import { isMalformedNumber } from '../../foundations/database/failures.ts';
import { EndingWith, inChange, inTransaction } from '../../foundations/database/in-transaction.ts';
import { Problem } from '../../foundations/problem.ts';
import { tracing } from '../../foundations/tracing.ts';
import { type Directory, readDirectory, touchDirectory } from '../../identity/directory/directory.ts';
import { onOneServer } from '../../identity/tenancy/due-organizations.ts';
import type { StorageState } from '../../identity/tenancy/measure-storage.ts';
import { AuditEntries, type AuditRow, insertEntries, rowOf } from '../audit/audit-log.ts';
import { type Caused, caused, causedDeliveries } from '../events/caused-deliveries.ts';
import { type EmittedEvent, emittedEvents, happened, insertEvents, Outbox } from '../events/outbox.ts';
import { type Answer, isStored, type StoredAnswer } from '../idempotency/stored-answer.ts';
import type { Services } from '../services.ts';
import { LastWrite, partsOf } from './last-write.ts';
import { type Changing, type Described, NothingWritten } from './verb.ts';

/** Whose records change. */
export interface OrganizationName {
  readonly id: string;
  readonly slug: string;
  /** Absent where there is room. */
  readonly storage?: StorageState;
}

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
 * The work takes the directory from memory, and that last statement says whether it still holds; if not, all is
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
    const relied: ReliedOn = { begun: false, directory: undefined, renewals: 0, guarded, parted: false };
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
      if (raised instanceof Problem || raised instanceof DirectoryChanged) {
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

/** What one attempt at a change has done and relied on; it is looked at when the attempt has failed. */
interface ReliedOn {
  /** No answer was stored for its key, so the work was begun. */
  begun: boolean;
  /** The directory that it took from memory, or the one with its own changes. */
  directory: Directory | undefined;
  /** How often it has changed the small tables itself: each time made the version one higher. */
  renewals: number;
  /** Each part of the work gets a savepoint, because a part was refused in the attempt before. */
  readonly guarded: boolean;
  /** Parts were done without a savepoint, which is quicker while none is refused. */
  parted: boolean;
}

/** Raised to undo a transaction: somebody else stored an answer for its key. The next attempt finds that one. */
class AnsweredMeanwhile extends Error {}

/** Raised to undo a transaction: a part was refused that had no savepoint. The next attempt gives one to each. */
class PartRefused extends Error {}

/** Raised to undo a transaction: the directory is another one than it took from memory. */
class DirectoryChanged extends Error {}

/**
 * A refusal as an attempt without savepoints raises it: written late, it may be of another part than the one that
 * runs.
 */
const refusedPart = (error: unknown): unknown => (error instanceof Problem ? new PartRefused() : error);

/** Takes the directory as it is now into memory, and tells whether that is another one. */
async function isOutdated(
  core: Services,
  organization: string,
  { directory, renewals }: ReliedOn,
): Promise<boolean> {
  if (!directory) return false;
  const current = await core.directories.current(core.sql, organization);
  return current.version !== directory.version - renewals;
}

interface Attempted<Result> {
  readonly result: Result;
  readonly emitted: readonly EmittedEvent[];
  /** Those that an event is on its way to. */
  readonly webhooks: readonly string[];
  /** To be done now that it is committed. */
  readonly afterwards: readonly (() => Promise<void> | void)[];
}

const nothingEmitted = { emitted: [], webhooks: [], afterwards: [] };

const attempt = <Result>(
  core: Services,
  { organization, now, once, auditEntry = null }: Change<Result>,
  relied: ReliedOn,
  work: (changing: Changing) => Promise<Result>,
): Promise<Attempted<Result>> =>
  inChange(core, async (tx) => {
    // inChange repeats what collided with another transaction, and that may have changed the small tables.
    if (relied.directory) relied.directory = await core.directories.current(tx, organization.id);
    relied.renewals = 0;
    const replayed = await once?.stored.claim(tx);
    if (once && replayed) return { result: once.fromAnswer(replayed), ...nothingEmitted };
    relied.begun = true;
    const outbox = new Outbox(organization, now);
    const audit = new AuditEntries(now);
    const last = new LastWrite((refusal) => (relied.parted ? refusedPart(refusal) : refusal));
    const afterwards: (() => Promise<void> | void)[] = [];
    const changingOn = (own: Transaction): Changing => {
      const sql = last.before(own);
      return {
        core,
        sql,
        organization: organization.id,
        now,
        async directory() {
          relied.directory ??=
            core.directories.known(organization.id) ?? (await core.directories.current(sql, organization.id));
          return relied.directory;
        },
        directoryAt: async (version) =>
          relied.directory && relied.renewals > 0 && relied.directory.version >= version
            ? relied.directory
            : core.directories.at(sql, organization.id, version),
        async renewDirectory() {
          await touchDirectory(sql, organization.id);
          relied.directory = await readDirectory(sql, organization.id);
          relied.renewals += 1;
          return relied.directory;
        },
        emit: (type, record, before) => outbox.add(type, record, before),
        emitUpdated: (type, before, after) => outbox.addUpdated(type, before, after),
        async audited(work, entriesOfWork) {
          const first = outbox.length;
          const described: Described = {};
          let isNoted = false;
          const result = await work({
            ...changingOn(own),
            describe: (more) => void Object.assign(described, more),
            noted() {
              // Not beside what the statement writes, where records stand on another server: it goes with the
              // others.
              if (core.distributed) return own`noted as (select 1)`;
              isNoted = true;
              const entries = entriesOfWork({ result: undefined, described, events: [] });
              const rows = entries.map((entry) => rowOf(entry, now));
              return own`noted as (${onOneServer(own)} ${insertEntries(own, organization.id, rows)})`;
            },
          });
          if (isNoted) return result;
          for (const { events, ...entry } of entriesOfWork({
            result,
            described,
            events: outbox.since(first),
          })) {
            audit.add(entry, events);
          }
          return result;
        },
        describe: () => {},
        noted: () => own`noted as (select 1)`,
        write: (parts, refused) => last.put(own, { parts, refused }),
        insert: (into, row) => last.insert(own, into, row),
        afterCommit: (each) => void afterwards.push(each),
        async part(work) {
          if (!relied.guarded) {
            relied.parted = true;
            try {
              return { result: await work(changingOn(own)) };
            } catch (error) {
              throw refusedPart(error);
            }
          }
          await last.write(own);
          // Taken before the part: a refusal is checked against it too, and the part may renew it and be undone.
          const directory = await changingOn(own).directory();
          const { renewals } = relied;
          const [events, entries, committed] = [outbox.length, audit.length, afterwards.length];
          try {
            const result = await inTransaction(own, async (inner) => {
              const done = await work(changingOn(inner));
              await last.write(inner);
              return [done] as const;
            });
            return { result: result[0] };
          } catch (error) {
            if (!(error instanceof Problem)) throw error;
            last.take();
            outbox.keepOnly(events);
            audit.keepOnly(entries);
            afterwards.length = committed;
            Object.assign(relied, { directory, renewals });
            return { problem: error };
          }
        },
      };
    };
    const result = await work(changingOn(tx));
    const answer = once && { insert: once.stored.insert(tx, once.toAnswer(result)) };
    if (!answer && !relied.directory && outbox.length === 0 && audit.length === 0) {
      await last.write(tx);
      return { result, ...nothingEmitted, afterwards };
    }
    const events = outbox.rows(auditEntry);
    const entries = audit.rows();
    const rest = { answer: answer?.insert, version: relied.directory?.version };
    // Records stand on other servers then than what is on its way: they go by a statement just before, in the same
    // round trip.
    if (core.distributed) {
      const parts = tx`${happened(tx, events)}, ${recordParts(tx, organization.id, { entries })}`;
      if (events.length + entries.length > 0) await last.put(tx, { parts, refused: undefined });
      const end = endOf(last.before(tx), organization.id, events, rest);
      return new EndingWith(end.statement, async () => ({ result, ...(await end.written()), afterwards }));
    }
    const held = last.take();
    const records = recordParts(tx, organization.id, { write: held && partsOf(tx, held), entries });
    const end = endOf(tx, organization.id, events, { records, ...rest });
    return new EndingWith(end.statement, async (): Promise<Attempted<Result>> => {
      try {
        return { result, ...(await end.written()), afterwards };
      } catch (error) {
        throw last.raised(error, held);
      }
    });
  });

/** What a change writes of records besides its events. */
interface RecordsWritten {
  /** Parts, of which `written` has a row. */
  readonly write?: Fragment | undefined;
  /** Of the audit log. */
  readonly entries?: readonly AuditRow[];
}

/** The parts behind `happened` that write records: what was written last, the events, and who did what. */
export const recordParts = (
  tx: Transaction,
  organization: string,
  { write, entries = [] }: RecordsWritten = {},
): Fragment => tx`
  ${write ?? tx`written as (select 1)`}, ${insertEvents(tx, organization)},
  audited as (${insertEntries(tx, organization, entries)})`;

/** What the last statement of a change writes besides the deliveries of its events, and what it relied on. */
interface LastWritten {
  /** `recordParts`, where no statement before has written them. */
  readonly records?: Fragment | undefined;
  readonly answer?: Fragment | undefined;
  /** Of the directory, where it was taken from memory. */
  readonly version?: number | undefined;
}

interface EndWritten {
  emitted: EmittedEvent[];
  /** Those that an event is on its way to. */
  webhooks: string[];
}

/**
 * What the last statement fails with, because the commit follows it at once. PostgreSQL tells it of a malformed
 * number.
 */
const refusals = {
  'nothing written': () => new NothingWritten('Nothing was written of what was to be'),
  'answered meanwhile': () => new AnsweredMeanwhile(),
  'directory changed': () => new DirectoryChanged(),
} as const;

/**
 * The last statement: what was written last, events, what they cause, who did what and the answer go in; what was
 * relied on is looked at once more.
 */
export function endOf(
  tx: Transaction,
  organization: string,
  events: ReturnType<Outbox['rows']>,
  { records, answer, version }: LastWritten = {},
): { statement: PromiseLike<unknown>; written(): Promise<EndWritten> } {
  // Not a constant, which PostgreSQL would convert, and fail with, when it plans.
  const refused = (why: keyof typeof refusals): Fragment =>
    tx`(number || ${tx.unsafe(`' ${why}'`)})::integer`;
  const statement = tx<{ caused: Caused[] }[]>`
    with ${records ? onOneServer(tx) : tx``} ${happened(tx, events)}, ${records ?? tx`written as (select 1)`},
         ${causedDeliveries(tx, organization)}, answered as (${answer ?? tx`select true as stored`})
    select ${caused(tx)} as caused,
           case when not exists (select 1 from written) then ${refused('nothing written')}
                when not exists (select 1 from answered) then ${refused('answered meanwhile')}
                when number is distinct from coalesce(${version ?? null}::bigint, number)
                then ${refused('directory changed')} end as refused
    from (select directory_version as number from organizations where id = ${organization}) as directory`;
  return {
    statement,
    async written() {
      const [row] = await statement.catch((error) => {
        throw refusalOf(error) ?? error;
      });
      if (!row) throw new Error(`There is no organization ${organization}`);
      const sent = row.caused.filter(([, , fate]) => fate === 'sent');
      const webhooks = [...new Set(sent.map(([, webhook]) => webhook))];
      return { emitted: emittedEvents(organization, events, row.caused), webhooks };
    },
  };
}

function refusalOf(error: unknown): Error | undefined {
  if (!isMalformedNumber(error)) return undefined;
  return Object.entries(refusals).find(([why]) => error.message.includes(` ${why}`))?.[1]();
}

/** After the commit. */
function tellEmitted(core: Services, emitted: readonly EmittedEvent[]): void {
  for (const event of emitted) {
    core.log[event.deliveries + event.held > 0 ? 'info' : 'debug'](event, 'Event emitted');
    core.waitingReaders.tell(event.organization_id);
    tracing?.eventBegan(event.event_id, event.type);
  }
}
