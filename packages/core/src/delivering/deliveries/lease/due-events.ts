import type { Fragment, Statements } from '../../../foundations/database/connect.ts';
import { onOneServer } from '../../../identity/tenancy/due-organizations.ts';

/** The events `e` that a lease reads beside what is due, and how many bytes the envelope of each has. */
export interface DueEvents {
  /** Behind `targets w` and `due`. */
  readonly join: Fragment;
  readonly bytes: Fragment;
}

/** Where events stand beside the queue, their envelopes are read at once. */
export const eventsBeside = (sql: Statements): DueEvents => ({
  join: sql`left join ${onOneServer(sql)} events e on e.organization_id = w.organization_id and e.id = due.event_id`,
  // Known to PostgreSQL without unpacking anything.
  bytes: sql`octet_length(e.envelope)`,
});

/**
 * An event that is not found although it has just happened is not gone: its change is being ended, on the first
 * server before the others. Longer than Citus takes to end it by itself after that one was lost.
 */
const endedForMs = 10 * 60_000;

interface DueEvent {
  readonly organization_id: string;
  readonly id: string;
  readonly type: string | null;
  readonly bytes: number | null;
}

/**
 * Where events stand on other servers, what is due is looked up first, and what is to be known of its events,
 * organization by organization: a lease takes these as values, and nothing that has become due since. The envelopes
 * follow (`readEnvelopes`).
 */
export async function eventsElsewhere(
  sql: Statements,
  { rooms, now }: { readonly rooms: ReadonlyMap<string, number>; readonly now: string },
): Promise<DueEvents> {
  const due = await sql<{ organization_id: string; event_id: string; created_at: string }[]>`
    select due.organization_id, due.event_id, due.created_at
    from unnest(${[...rooms.keys()]}::uuid[], ${[...rooms.values()]}::integer[]) as asking (webhook_id, room)
    cross join lateral (
      select d.organization_id, d.event_id, d.created_at from deliveries d
      where d.worker_id is null and d.webhook_id = asking.webhook_id and d.due_at <= ${now}
      order by d.due_at, d.event_id limit asking.room) due`;
  const events: DueEvent[] = [];
  for (const [organization, its] of Map.groupBy(due, ({ organization_id }) => organization_id)) {
    const happened = new Map(its.map(({ event_id, created_at }) => [event_id, created_at]));
    const ids = [...happened.keys()];
    const found = await sql<{ id: string; type: string; bytes: number }[]>`
      select id, type, octet_length(envelope) as bytes from events
      where organization_id = ${organization} and id = any(${ids}::text[])`;
    const byId = new Map(found.map((event) => [event.id, event]));
    // One that is gone has no type.
    for (const [id, at] of happened)
      if (byId.has(id) || Date.parse(at) < Date.parse(now) - endedForMs)
        events.push({ organization_id: organization, id, type: null, bytes: null, ...byId.get(id) });
  }
  return {
    join: sql`
      join (select *, null::text as envelope
            from json_to_recordset(${JSON.stringify(events)}::text::json)
              as known (organization_id uuid, id text, type text, bytes integer)) e
        on e.organization_id = w.organization_id and e.id = due.event_id`,
    bytes: sql`e.bytes`,
  };
}

/** The envelopes of events, by their ids; without those that are gone, which have no type. */
export async function readEnvelopes(
  sql: Statements,
  events: readonly { organization_id: string; event_id: string; type: string | null }[],
): Promise<ReadonlyMap<string, string>> {
  const envelopes = new Map<string, string>();
  const there = events.filter(({ type }) => type !== null);
  for (const [organization, its] of Map.groupBy(there, ({ organization_id }) => organization_id)) {
    const found = await sql<{ id: string; envelope: string }[]>`
      select id, envelope from events
      where organization_id = ${organization} and id = any(${its.map(({ event_id }) => event_id)}::text[])`;
    for (const { id, envelope } of found) envelopes.set(id, envelope);
  }
  return envelopes;
}
