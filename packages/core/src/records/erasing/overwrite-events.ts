import type { RecordName } from '@dealkeep/contract';
import type { Transaction } from '../../foundations/database/connect.ts';
import { eraseInText, idsIn, type KindOf } from './erase-json.ts';

/** What of an organization is gone through for which erasure. */
export interface Walked {
  readonly organization: string;
  readonly erasure: string;
  /** What happened later is no part of it. RFC 3339. */
  readonly until: string;
}

const eventsAtOnce = 500;
/** An envelope takes 256 KiB at most. */
const envelopesAtOnce = 50;

/** What was done with some of the events. */
interface OverwrittenEvents {
  events: number;
  /** Withdrawn: their receivers would be sent another body under the same id. */
  deliveries: number;
  /** Of the delivery log. */
  attempts: number;
  /** The walk goes on before this event; undefined when there are no more. */
  next: string | undefined;
}

/**
 * Goes through some of the events, the newest first, and overwrites those that a record of the erasure stands in: as
 * what they are about, or as what that referred to at that time.
 *
 * @param before the event that the last part ended with
 */
export async function overwriteEvents(
  sql: Transaction,
  walked: Walked,
  before: string | null,
): Promise<OverwrittenEvents> {
  const { organization, erasure, until } = walked;
  const [page] = await sql<{ ids: string[]; count: number; last: string | null }[]>`
    with page as materialized (
      select e.id, e.envelope from events e
      where e.organization_id = ${organization} and e.occurred_at <= ${until}
        and (${before}::text is null or e.id < ${before})
      order by e.id desc limit ${eventsAtOnce}),
    mentioning as (
      select distinct page.id from page, unnest(string_to_array(page.envelope, '"')) part
      -- A text of JSON is one part, and so is an id.
      where length(part) = 36 and part in (
        select record_id::text from erasing_records
        where organization_id = ${organization} and erasure_id = ${erasure}))
    select (select coalesce(json_agg(id), '[]') from mentioning) as ids,
           (select count(*)::integer from page) as count, (select min(id) from page) as last`;
  if (!page) throw new Error('A count gave no row');
  const done: OverwrittenEvents = { events: 0, deliveries: 0, attempts: 0, next: undefined };
  for (let from = 0; from < page.ids.length; from += envelopesAtOnce) {
    const ids = page.ids.slice(from, from + envelopesAtOnce);
    done.events += await overwriteEnvelopes(sql, walked, ids);
    done.deliveries += await withdraw(sql, organization, ids);
    done.attempts += await overwriteAttempts(sql, organization, ids);
  }
  if (page.count === eventsAtOnce && page.last !== null) done.next = page.last;
  return done;
}

async function overwriteEnvelopes(sql: Transaction, walked: Walked, ids: readonly string[]): Promise<number> {
  const { organization } = walked;
  const events = await sql<{ id: string; envelope: string }[]>`
    select id, envelope from events where organization_id = ${organization} and id = any(${ids})
    order by id for no key update`;
  const kindOf = await kindsIn(
    sql,
    walked,
    events.map(({ envelope }) => envelope),
  );
  const changed = events.flatMap(({ id, envelope }) => {
    const erased = eraseInText(envelope, kindOf);
    return erased === envelope ? [] : [{ id, envelope: erased }];
  });
  if (changed.length === 0) return 0;
  const { count } = await sql`
    update events e set envelope = erased.envelope
    from unnest(${changed.map(({ id }) => id)}::text[], ${changed.map(({ envelope }) => envelope)}::text[])
      as erased (id, envelope)
    where e.organization_id = ${organization} and e.id = erased.id`;
  return count;
}

/** The kinds of those records of an erasure that stand in some texts. */
export async function kindsIn(
  sql: Transaction,
  { organization, erasure }: Walked,
  texts: readonly string[],
): Promise<KindOf> {
  const ids = [...new Set(texts.flatMap(idsIn))];
  const rows = await sql<{ record_id: string; kind: RecordName }[]>`
    select record_id, kind from erasing_records
    where organization_id = ${organization} and erasure_id = ${erasure} and record_id = any(${ids}::uuid[])`;
  const kinds = new Map(rows.map(({ record_id, kind }) => [record_id, kind]));
  return (id) => kinds.get(id);
}

/** What is being sent at this moment is locked, and on its way. */
async function withdraw(sql: Transaction, organization: string, ids: readonly string[]): Promise<number> {
  const ofOrganization = sql`select id from webhooks where organization_id = ${organization}`;
  const waiting = await sql`
    delete from deliveries where ctid = any(array(
      select d.ctid from deliveries d where d.webhook_id in (${ofOrganization}) and d.event_id = any(${ids})
      for update skip locked))`;
  const held = await sql`
    delete from held_events where ctid = any(array(
      select h.ctid from held_events h where h.webhook_id in (${ofOrganization}) and h.event_id = any(${ids})
      for update skip locked))`;
  return waiting.count + held.count;
}

/** Receivers may answer with what they were sent. No retry follows any more. */
async function overwriteAttempts(
  sql: Transaction,
  organization: string,
  ids: readonly string[],
): Promise<number> {
  const { count } = await sql`
    update attempts set response_start = null, failure_detail = null, next_attempt_at = null
    where organization_id = ${organization} and event_id = any(${ids})
      and num_nonnulls(response_start, failure_detail, next_attempt_at) > 0`;
  return count;
}
