import type {
  AnswerOf,
  BodyOf,
  EventType,
  FieldProblem,
  OperationId,
  Operations,
  PathParameters,
  QueryOf,
} from '@dealkeep/contract';
import type { Core } from '../core.ts';
import type { Credential } from '../credentials/credential.ts';
import type { Statements, Transaction } from '../database/connect.ts';
import type { Directory } from '../directory/directory.ts';
import type { Refused } from './check-input.ts';

/** A page of a list. */
export interface Page<Item> {
  data: Item[];
  next_cursor: string | null;
  has_more: boolean;
}

/** What reading records needs. */
export interface Scope {
  readonly core: Core;
  readonly sql: Statements;
  /** Id of the organization; part of every statement. */
  readonly organization: string;
  /** RFC 3339, UTC. One moment for the whole request. */
  readonly now: string;
  /**
   * The small tables of the organization: for a read as they are now; for a change as memory has them, which its last
   * statement checks.
   */
  directory(): Promise<Directory>;
}

/** How a read that is no part of a change asks the database. */
export const readingOf = (core: Core, organization: string): Pick<Scope, 'sql' | 'directory'> => ({
  sql: core.sql,
  directory: () => core.directories.current(core.sql, organization),
});

/** What every verb is given. */
export interface Reading extends Scope {
  readonly credential: Credential;
}

/** What a verb is given before it has a connection. */
export type Asking = Pick<Reading, 'core' | 'organization' | 'credential'>;

/** What a change is given besides: a transaction and a way to say what happened. */
export interface Changing extends Scope {
  readonly sql: Transaction;
  /** Says that something happened; `record` is what GET answers at commit. */
  emit(type: EventType, record: EventRecord): void;
  /** The same for an `x.updated` event; nothing when no field differs. Answers whether any did. */
  emitUpdated(type: EventType, before: EventRecord, after: EventRecord): boolean;
}

/** What a verb that changes something is given. */
export interface Writing extends Reading, Changing {
  readonly sql: Transaction;
}

/** A record as an event carries it. */
export type EventRecord = ({ readonly id: string } | { readonly uuid: string }) & {
  readonly updated_at?: string | null;
};

/** The parsed parts of a request. */
export interface InputOf<Id extends OperationId> {
  readonly path: Readonly<Record<PathParameters<Operations[Id]['path']>, string>>;
  readonly query: QueryOf<Operations[Id]>;
  readonly body: BodyOf<Operations[Id]>;
}

/** What a verb answers: a page, a record, the bare answer or nothing. */
export type ResultOf<Id extends OperationId> = Operations[Id] extends { shape: 'list' }
  ? Page<AnswerOf<Operations[Id]>>
  : AnswerOf<Operations[Id]>;

export interface Verb<Id extends OperationId = OperationId> {
  readonly id: Id;
  readonly writes: boolean;
  /**
   * Checks what has to be asked of the outside (DNS), which may take long: before a connection of the database is
   * taken. What it raises is the operation's outcome.
   */
  ahead?(context: Asking, input: InputOf<Id>): Promise<void>;
  /**
   * Finds in a body that is refused anyway, by the contract or by `run` itself, all else that `run` would refuse, so that
   * all is told at once; references to records that there are not are found without it. Reads only, and is not asked
   * about a request that can be carried out.
   */
  further?(
    context: Reading,
    refused: Refused<BodyOf<Operations[Id]>>,
    path: InputOf<Id>['path'],
  ): Promise<readonly FieldProblem[]>;
  run(context: Writing, input: InputOf<Id>): Promise<ResultOf<Id>>;
}

/** A verb that only reads: no transaction. */
export const reads = <const Id extends OperationId>(
  id: Id,
  run: (context: Reading, input: InputOf<Id>) => Promise<ResultOf<Id>>,
): Verb<Id> => ({ id, writes: false, run });

/** A verb that changes something: one transaction with its events, deliveries and stored answer. */
export const writes = <const Id extends OperationId>(
  id: Id,
  run: (context: Writing, input: InputOf<Id>) => Promise<ResultOf<Id>>,
  more: Pick<Verb<Id>, 'ahead' | 'further'> = {},
): Verb<Id> => ({ id, writes: true, run, ...more });
