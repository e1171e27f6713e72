import type { EventFilter } from './event-filters.ts';
import type { Scope } from './scopes.ts';
import type { Text } from './text.ts';

/** What kind of change an event tells of, so that connectors can group events without knowing them. */
export type EventCategory =
  /** A record came to be. */
  | 'created'
  /** Fields of a record were changed; the envelope names them. */
  | 'updated'
  /** A record was moved to another stage. */
  | 'moved'
  /** A record reached another state of its life. */
  | 'status'
  /** The state of an order's payment changed. */
  | 'payment'
  /** A moment has passed and nothing was done. */
  | 'overdue';

/** In the parameters by which records are found: the day on which they are looked for, as `YYYY-MM-DD`. */
export const today = '{today}';

/** The moment of the events of samples. */
export const sampleMoment = '2026-10-01T13:05:09.480Z';

export interface EventDeclaration {
  readonly label: Text;
  readonly description: Text;
  readonly category: EventCategory;
  /**
   * What it can be filtered by: a filter of the record's list, and where in the event's data the value stands; `[]`
   * stands for each element of a list.
   */
  readonly filters?: Readonly<Partial<Record<EventFilter, string>>>;
  /** Parameters of the record's list that find records in the state that the event leaves. */
  readonly leaves?: Readonly<Record<string, string | boolean>>;
  readonly entity: string;
  /** The scope that reading its data needs. */
  readonly scope: Scope;
  /**
   * Of an `x.updated`: fields that `changed_fields` names only beside a watchable one, because the same request
   * changed them, too: another event tells of them, or none. Nobody can wait for them here.
   */
  readonly namedBeside?: readonly string[];
  /**
   * Of an event that tells what was before: the fields whose former values are its own to tell. All that can change
   * where none are named.
   */
  readonly formerly?: readonly string[];
  /** What a sample says of the record's state, besides what its general example does. */
  readonly sample?: Readonly<Record<string, unknown>>;
  /** Of an event that tells what was before: what a sample says that it was. */
  readonly sampleBefore?: Readonly<Record<string, unknown>>;
}
