import { type EventType, eventTypes } from '@dealkeep/contract';
import type { Core } from '../core.ts';
import type { OrganizationName } from '../verb/transact.ts';

/** Something that happened, with the record as it was then. */
export interface LatestEvent {
  id: string;
  type: EventType;
  record_id: string;
  occurred_at: string;
  record: Readonly<Record<string, unknown>>;
  /** Of an update: the fields that changed. */
  changed_fields: readonly string[];
}

/** What somebody may see of what happened. */
export interface VisibleEvents {
  /** Every event of these types. */
  readonly types: readonly EventType[];
  /** Every event of these records. */
  readonly records: readonly string[];
}

/** Where the wanted types are rare, no further back than so many events: nobody waits for a scan of the whole month. */
const lookedThrough = 5000;

interface Row {
  id: string;
  type: EventType;
  record_id: string;
  occurred_at: string;
  envelope: string;
}

/** The latest events of an organization that somebody may see, the newest first; without those of tests. */
export async function latestEvents(
  { sql }: Pick<Core, 'sql'>,
  { id: organization }: Pick<OrganizationName, 'id'>,
  { visible: { types, records }, limit }: { visible: VisibleEvents; limit: number },
): Promise<LatestEvent[]> {
  const all = eventTypes.every((type) => types.includes(type));
  const rows = await sql<Row[]>`
    select id, type, record_id, occurred_at, envelope
    from (
      (select * from (
         select id, type, record_id, occurred_at, envelope from events
         where organization_id = ${organization} and not test
         order by occurred_at desc limit ${all ? limit : lookedThrough}) newest
       where type = any(${[...types]}) order by occurred_at desc, id desc limit ${limit})
      union
      (select id, type, record_id, occurred_at, envelope from events
       where organization_id = ${organization} and not test and record_id = any(${[...records]}::uuid[])
       order by occurred_at desc, id desc limit ${limit})) seen
    order by occurred_at desc, id desc limit ${limit}`;
  return rows.map(({ envelope, ...row }) => {
    const { data, changed_fields = [] } = JSON.parse(envelope);
    return { ...row, record: data, changed_fields };
  });
}
