import { type EventType, eventTypes } from '@dealkeep/contract';
import type { Session } from '../accounts/sessions/sessions.ts';
import type { Services } from '../change/services.ts';
import { seenRecord } from '../change/verb/shown-references.ts';
import { credentialOf } from './run-as-user.ts';

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

/** Events that are looked through, at most, so that rare types do not cost a scan of the whole month. */
const lookedThrough = 5000;

interface Row {
  id: string;
  type: EventType;
  record_id: string;
  occurred_at: string;
  envelope: string;
}

/**
 * The latest events of an organization that somebody may see, the newest first; without those of tests, and without
 * what they may not see of the records that those refer to.
 */
export async function latestEvents(
  core: Services,
  session: Session,
  { visible: { types, records }, limit }: { visible: VisibleEvents; limit: number },
): Promise<LatestEvent[]> {
  const { sql } = core;
  const { id: organization } = session.organization;
  const looking = { sql, organization, actor: credentialOf(core, session) };
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
  const told: LatestEvent[] = [];
  for (const { envelope, ...row } of rows) {
    const { data, changed_fields = [] } = JSON.parse(envelope);
    told.push({ ...row, record: await seenRecord(looking, row.type, data), changed_fields });
  }
  return told;
}
