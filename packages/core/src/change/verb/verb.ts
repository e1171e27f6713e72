import type {
  AnswerOf,
  BodyOf,
  EventType,
  EveryOperation,
  EveryOperationId,
  PathParameters,
  QueryOf,
  SystemOperationId,
} from '@dealkeep/contract';
import type { Fragment, Statements, Transaction } from '../../foundations/database/connect.ts';
import type { Problem } from '../../foundations/problem.ts';
import type { Actor, Credential, System } from '../../identity/credentials/credential.ts';
import type { ReferenceData } from '../../identity/reference-data/reference-data.ts';
import type { AuditDetail, AuditEntryOf } from '../audit/audit-log.ts';
import type { BookedEvent, EventRecord } from '../events/outbox.ts';
import type { Services } from '../services.ts';
import type { SentBody } from './check-input.ts';

/** A page of a list. */
export interface Page<Item> {
  data: Item[];
  next_cursor: string | null;
  has_more: boolean;
}

/** What reading records needs. */
export interface ReadContext {
  readonly core: Services;
  readonly sql: Statements;
  /** Id of the organization; part of every statement. */
  readonly organization: string;
  /** RFC 3339, UTC. One moment for the whole request. */
  readonly now: string;
  /**
   * The small tables of the organization: for a read as they are now; for a change as memory has them, which its
   * last statement checks.
   */
  referenceData(): Promise<ReferenceData>;
  /** The small tables that go with a row that was just read: those of its version, or newer ones. */
  referenceDataAt(version: number): Promise<ReferenceData>;
}

/** How a read that is no part of a change asks the database. */
export const readingOf = (
  core: Services,
  organization: string,
): Pick<ReadContext, 'sql' | 'referenceData' | 'referenceDataAt'> => ({
  sql: core.sql,
  referenceData: () => core.referenceDataCache.current(core.sql, organization),
  referenceDataAt: (version) => core.referenceDataCache.at(core.sql, organization, version),
});

/** What every verb is given. */
export interface Reading<Who extends Actor = Credential> extends ReadContext {
  readonly actor: Who;
  /**
   * Finds the credential of the request once more, for a read that waits: a key may be revoked meanwhile. Raises
   * what finding it does; absent where the request has none, as in the console.
   */
  actorNow?(): Promise<Actor>;
}

/** What whoever acts is given to read, now. */
export function readingFor<Who extends Actor>(core: Services, actor: Who): Reading<Who> {
  const organization = actor.organization.id;
  const now = core.clock.now().toISOString();
  return { core, actor, organization, now, ...readingOf(core, organization) };
}

/** What a change is given besides: a transaction and a way to say what happened. */
export interface Changing extends ReadContext {
  readonly sql: Transaction;
  /**
   * Says that something happened; `record` is what GET answers at commit, `before` what it answered before the
   * change, where the event tells of that.
   */
  emit(type: EventType, record: EventRecord, before?: EventRecord): void;
  /** The same for an `x.updated` event; nothing when no field differs. Answers whether any did. */
  emitUpdated(type: EventType, before: EventRecord, after: EventRecord): boolean;
  /**
   * Writes what the work need not read back. It is sent with the last statement of the change, or sooner, just
   * before the work asks for or writes something else. So a failure, as the Problem that `refused` makes of it, may
   * be raised there and not here.
   *
   * @param parts of a `with`; the one named `written` has a row, or nothing was written
   */
  write(parts: Fragment, refused?: Refusal): Promise<void>;
  /**
   * The same of a new row of which everything is known: with those that were to be written to its table just before.
   */
  insert(into: NewRows, row: object): Promise<void>;
  /**
   * Says that the work has changed the small tables and goes on with them. Answers them as they are now; records
   * that are read from here on are shown with these. They are not kept in memory for others, since nothing is
   * committed yet.
   */
  renewReferenceData(): Promise<ReferenceData>;
  /**
   * Does a part of the change that is undone alone where it is refused, with all that it wrote and said. The work
   * may be begun anew with the whole change.
   */
  part<Result>(work: (changing: Changing) => Promise<Result>): Promise<PartDone<Result>>;
  /**
   * Does work of which the audit log is told with the end of the transaction; nothing where it is undone.
   *
   * @param entriesOfWork what was done, each with the events that came about by it
   */
  audited<Result>(
    work: (changing: Changing) => Promise<Result>,
    entriesOfWork: (done: AuditedWork<Result>) => readonly AuditEntryWithEvents[],
  ): Promise<Result>;
  /** Says of the change, for the audit log, what neither its request nor its answer say. */
  describe(more: Described): void;
  /**
   * A part of a `with` that tells the audit log now, by what is known of the change: for a verb that has a statement
   * to spare for it and would otherwise need one more.
   */
  noted(): Fragment;
  /** Does something when the change is committed, and not where it is undone; the answer waits for it. */
  afterCommit(work: () => Promise<void> | void): void;
}

/** A table that many rows go into at once. */
export interface NewRows {
  /** The begin of an `insert` of these rows. */
  insertingAll(sql: Statements, rows: readonly object[]): Fragment;
}

/** What a verb says of its change for the audit log. */
export interface Described {
  readonly id?: string;
  /** What the record was called before; null where that must not stay. */
  readonly name?: string | null;
  /** What the fields of its body were before. */
  readonly before?: object;
  readonly detail?: AuditDetail;
}

/** Work that was done. */
export interface AuditedWork<Result> {
  /** Undefined where the log is told before. */
  readonly result: Result | undefined;
  readonly described: Described;
  readonly events: readonly BookedEvent[];
}

export interface AuditEntryWithEvents extends AuditEntryOf {
  readonly events: readonly BookedEvent[];
}

/** What became of a part of a change. */
export type PartDone<Result> = { readonly result: Result } | { readonly problem: Problem };

/** The problem that a failure to write means; undefined where it is a fault. */
export type Refusal = (failure: unknown) => Problem | undefined;

/** The failure of a write whose part `written` has no row. */
export class NothingWritten extends Error {
  override readonly name = 'NothingWritten';
}

/** What a verb that changes something is given. */
export interface Writing<Who extends Actor = Credential> extends Reading<Who>, Changing {
  readonly sql: Transaction;
}

/** Whether it is in the transaction of a change: what is found there is locked, and may be written. */
export const isChanging = <Context extends ReadContext>(
  context: Context | (Context & Changing),
): context is Context & Changing => 'emit' in context;

/** Only what reads, for a check of what is left of a refused item: it stands in the transaction of its batch. */
export const withoutChanging = ({
  core,
  sql,
  organization,
  now,
  actor,
  referenceData,
  referenceDataAt,
}: Reading<Actor>): Reading<Actor> => ({
  core,
  sql,
  organization,
  now,
  actor,
  referenceData,
  referenceDataAt,
});

/** The end of a statement that finds what a change is about: it is locked in its transaction. */
export const lockIfChanging = (context: ReadContext): Fragment =>
  isChanging(context) ? context.sql`for no key update` : context.sql``;

interface ActorsOf {
  api: Credential;
  console: Credential;
  assistant: Credential;
  system: System;
}

/** Who runs an operation, by its audience. */
export type ActorOf<Id extends EveryOperationId> = ActorsOf[EveryOperation[Id]['audience'][number]];

/** The parsed parts of a request. */
export interface InputOf<Id extends EveryOperationId> {
  readonly path: Readonly<Record<PathParameters<EveryOperation[Id]['path']>, string>>;
  readonly query: QueryOf<EveryOperation[Id]>;
  readonly body: BodyOf<EveryOperation[Id]>;
}

/** What a verb answers that is JSON already: it is sent byte for byte. */
export class StoredJson {
  readonly text: string;

  constructor(text: string) {
    this.text = text;
  }

  toJSON(): unknown {
    return JSON.parse(this.text);
  }
}

/** What a verb answers: a page, a record, the bare answer or nothing. */
export type ResultOf<Id extends EveryOperationId> = Id extends EveryOperationId
  ? EveryOperation[Id]['shape'] extends 'list'
    ? Page<AnswerOf<EveryOperation[Id]>>
    : AnswerOf<EveryOperation[Id]>
  : never;

/** The same, or its text where that is what is stored. */
type AnsweredBy<Id extends EveryOperationId> = Id extends EveryOperationId
  ? EveryOperation[Id] extends { readonly asStored: true }
    ? StoredJson
    : ResultOf<Id>
  : never;

/** A request as a check is given it. */
export interface Sent<Id extends EveryOperationId> extends SentBody<BodyOf<EveryOperation[Id]>> {
  readonly path: InputOf<Id>['path'];
}

/**
 * What a verb does, in the order in which it is asked. The first and the third are checks. They raise what is
 * wrong, all of it at once; they are asked of a request that is carried out, and of what is left of a body that was
 * refused, so that its sender learns of everything (rule bodies 9). Then nothing is locked or written.
 */
interface VerbSteps<Id extends EveryOperationId, Learned, Found> {
  /** Asks the outside (DNS), which may take long, while no connection of the database is held. */
  beforeTransaction?(context: Reading<ActorOf<Id>>, sent: Sent<Id>): Promise<Learned | undefined>;
  /**
   * Does before the transaction what cannot be undone. With an `Idempotency-Key` it is marked before, and done once.
   */
  actOnce?(context: Reading<ActorOf<Id>>, input: InputOf<Id>): Promise<Learned>;
  /**
   * Finds what the change is about, and raises what is wrong with it. In the transaction it locks (`isChanging`);
   * references of a refused body are looked for in `all-problems.ts`.
   */
  check?(context: Reading<ActorOf<Id>>, sent: Sent<Id>): Promise<Found>;
  /** Does the work in the transaction, with what was found. */
  run(
    context: Writing<ActorOf<Id>>,
    input: InputOf<Id> & { readonly learned: Learned },
    found: Found,
  ): Promise<AnsweredBy<Id>>;
}

/** What its steps hand on is known to the verb alone. */
export interface Verb<Id extends EveryOperationId = EveryOperationId>
  extends VerbSteps<Id, unknown, unknown> {
  readonly id: Id;
  readonly writes: boolean;
}

/** A verb that only reads: no transaction. */
export const reads = <const Id extends EveryOperationId>(
  id: Id,
  run: (context: Reading<ActorOf<Id>>, input: InputOf<Id>) => Promise<AnsweredBy<Id>>,
): Verb<Id> => ({ id, writes: false, run });

/**
 * A verb that changes something: one transaction with its events, deliveries and stored answer.
 *
 * @param steps of one that has nothing to check, its work alone
 */
export const writes = <const Id extends EveryOperationId, Learned = unknown, Found = unknown>(
  id: Id,
  steps: VerbSteps<Id, Learned, Found> | VerbSteps<Id, Learned, Found>['run'],
): Verb<Id> => ({ id, writes: true, ...(typeof steps === 'function' ? { run: steps } : steps) });

/** A verb of the clock: what it does in one organization, in batches of a transaction each. */
export interface Sweep<Id extends SystemOperationId = SystemOperationId> extends Omit<Verb<Id>, 'run'> {
  /** Does one batch, locks what it changes and answers how many that were. */
  run(context: Writing<System>): Promise<number>;
}

export const sweeps = <const Id extends SystemOperationId>(
  id: Id,
  run: (context: Writing<System>) => Promise<number>,
): Sweep<Id> => ({ id, writes: true, run });
