import type { Refusal } from './judge-statement.ts';

/** What a file's statements do although a database of several servers cannot run them. */
export interface KnownRefusal {
  readonly source: string;
  readonly why: readonly Refusal[];
  /** What they are for, so that whoever writes them anew knows what must stay. */
  readonly because: string;
}

/** May only shrink: one that no statement needs any more is refused, too. */
export const knownRefusals: readonly KnownRefusal[] = [];

/** Statements of these files say that they are sent only where records stand on the server of everything else. */
export interface OnOneServer {
  readonly source: string;
  /** What is sent where they do not; judged as all others. */
  readonly instead: string;
}

/** May only shrink, too. */
export const onOneServer: readonly OnOneServer[] = [
  {
    source: 'packages/core/src/change/verb/last-statement.ts',
    instead: 'The last statement of a change is sent as two: records, and what is due and the stored answer.',
  },
  {
    source: 'packages/core/src/delivering/delivery-log/resend-delivery.ts',
    instead: 'The entry of the audit log goes with the records of the change.',
  },
  {
    source: 'packages/core/src/delivering/deliveries/lease/lease.ts',
    instead: 'What is due is looked up first, its events by organization; the lease takes them as values.',
  },
  {
    source: 'packages/core/src/change/events/event-era.ts',
    instead: 'Nothing: an era ends with the first server.',
  },
  {
    source: 'packages/core/src/change/events/waiting-readers.ts',
    instead: 'One statement for each organization.',
  },
  {
    source: 'packages/core/src/change/paging/cursor.ts',
    instead: 'The organization is a value of the statement.',
  },
  {
    source: 'packages/core/src/change/paging/list-page.ts',
    instead: 'The organization is a value of the statement.',
  },
  {
    source: 'packages/core/src/change/paging/sum-records.ts',
    instead: 'The organization is a value of the statement.',
  },
  {
    source: 'packages/core/src/records/search/statement.ts',
    instead: 'The organization is a value of the statement.',
  },
  {
    source: 'packages/core/src/installation/retention/retention.ts',
    instead: 'One organization is looked at after the other.',
  },
];
