import type { Fragment, Transaction } from '../../foundations/database/connect.ts';
import { refusedFor } from '../../foundations/database/failures.ts';
import { onOneServer } from '../../identity/tenancy/due-organizations.ts';
import { type AuditRow, insertEntries } from '../audit/audit-log.ts';
import { type Caused, caused, causedDeliveries } from '../events/caused-deliveries.ts';
import { type EmittedEvent, emittedEvents, happened, insertEvents, type Outbox } from '../events/outbox.ts';
import { NothingWritten } from './verb.ts';

/** Raised to undo a transaction: somebody else stored an answer for its key. The next attempt finds that one. */
export class AnsweredMeanwhile extends Error {}

/** Raised to undo a transaction: the reference data has changed since it was taken into memory. */
export class ReferenceDataChanged extends Error {}

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
  /** Of the reference data, where it was taken from memory. */
  readonly version?: number | undefined;
}

/** What became of the events. */
export interface EndWritten {
  emitted: EmittedEvent[];
  /** Those that an event is on its way to. */
  webhooks: string[];
}

/** The last statement of a change, not sent yet: the commit follows it in the same round trip. */
export interface LastStatement {
  readonly statement: PromiseLike<unknown>;
  /** Waits for it. */
  written(): Promise<EndWritten>;
}

/** What the last statement refuses itself with (`refuse`), because the commit follows it at once. */
const refusals = {
  'nothing written': () => new NothingWritten('Nothing was written of what was to be'),
  'answered meanwhile': () => new AnsweredMeanwhile(),
  'reference data changed': () => new ReferenceDataChanged(),
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
): LastStatement {
  const refuse = (why: keyof typeof refusals): Fragment => tx`refuse(${tx.unsafe(`'${why}'`)})`;
  const statement = tx<{ caused: Caused[] }[]>`
    with ${records ? onOneServer(tx) : tx``} ${happened(tx, events)}, ${records ?? tx`written as (select 1)`},
         ${causedDeliveries(tx, organization)}, answered as (${answer ?? tx`select true as stored`})
    select ${caused(tx)} as caused,
           case when not exists (select 1 from written) then ${refuse('nothing written')}
                when not exists (select 1 from answered) then ${refuse('answered meanwhile')}
                when number is distinct from coalesce(${version ?? null}::bigint, number)
                then ${refuse('reference data changed')} end as refused
    from (select directory_version as number from organizations where id = ${organization}) as referenceData`;
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
  const refused = refusedFor(error);
  return Object.entries(refusals).find(([why]) => why === refused)?.[1]();
}
