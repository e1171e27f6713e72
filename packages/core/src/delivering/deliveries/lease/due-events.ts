import type { Fragment, Statements } from '../../../foundations/database/connect.ts';
import type { Placement } from '../../../foundations/database/placement.ts';
import { onOneServer } from '../../../identity/tenancy/due-organizations.ts';

/** What a lease asks for: the webhooks, and how much of each. */
interface Asked {
  readonly rooms: ReadonlyMap<string, number>;
  readonly now: string;
}

/** The events `e` that a lease reads beside what is due, and how many bytes the envelope of each has. */
interface EventsOfLease {
  /** Behind `targets w` and `due`. */
  readonly join: Fragment;
  readonly bytes: Fragment;
}

/** What was leased, with what the lease has read of its event; no type where the event is gone. */
interface LeasedEvent {
  readonly organization_id: string;
  readonly event_id: string;
  readonly type: string | null;
  readonly envelope: string | null;
}

/** How a lease reads the events of what is due. */
export interface DueEvents {
  read(sql: Statements, asked: Asked): Promise<EventsOfLease>;
  /** The envelopes of these, in their order; undefined for those that are gone. */
  envelopes(sql: Statements, leased: readonly LeasedEvent[]): Promise<readonly (string | undefined)[]>;
}

export const dueEvents = (placement: Placement): DueEvents =>
  placement.choose({ together: eventsBeside, apart: eventsElsewhere });

const envelopeOf = ({ envelope }: LeasedEvent): string | undefined => envelope ?? undefined;

/** Where events stand beside the queue, their envelopes are read at once. */
const eventsBeside: DueEvents = {
  read: async (sql) => ({
    join: sql`left join ${onOneServer(sql)} events e on e.organization_id = w.organization_id and e.id = due.event_id`,
    // Known to PostgreSQL without unpacking anything.
    bytes: sql`octet_length(e.envelope)`,
  }),
  envelopes: async (_, leased) => leased.map(envelopeOf),
};

/**
 * An event that is not found although it has just happened is not gone: its change is being ended, on the first
 * server before the others. Longer than it takes to be ended by itself after that one was lost.
 */
const endedForMs = 10 * 60_000;

interface DueEvent {
  readonly organization_id: string;
  readonly id: string;
  readonly type: string | null;
  readonly bytes: number | null;
}

/**
 * Where events stand apart, what is due is looked up first, and what is to be known of its events, organization by
 * organization: a lease takes these as values, and nothing that has become due since. The envelopes of what was
 * leased follow.
 */
const eventsElsewhere: DueEvents = {
  read: lookUp,
  async envelopes(sql, leased) {
    const envelopes = await readEnvelopes(sql, leased);
    return leased.map(({ event_id }) => envelopes.get(event_id));
  },
};

async function lookUp(sql: Statements, { rooms, now }: Asked): Promise<EventsOfLease> {
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
async function readEnvelopes(
  sql: Statements,
  events: readonly LeasedEvent[],
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
