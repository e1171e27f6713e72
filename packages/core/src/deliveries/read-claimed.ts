import { roleBacks } from '../credentials/role-backs.ts';
import type { Database, Statements } from '../database/connect.ts';
import type { LeasedDelivery } from './claim.ts';
import { standing, standingJoins, type WebhookStanding } from './webhook-standing.ts';

/** Where a delivery goes, as it is at this moment. */
interface Target {
  target_url: string;
  secret: Buffer;
  /** Signs too, for a day after the secret was rotated. */
  previous_secret: Buffer | null;
  webhook_standing: WebhookStanding;
}

/** A delivery that this worker holds the lease of, with all that its attempt needs. */
export interface ClaimedDelivery extends LeasedDelivery, Target {}

/** What the role of the person behind a connection does not let be read, of what its hook is subscribed to. */
interface Withheld {
  withheld_types: readonly string[];
}

/** An event as it is sent. */
export interface SentEvent {
  type: string;
  envelope: string;
}

/**
 * What the attempts of leased deliveries need; each webhook and event is read once. A delivery whose webhook was removed
 * meanwhile is gone with it.
 */
export async function readClaimed(
  sql: Database,
  leased: readonly LeasedDelivery[],
  now: string,
): Promise<{ claimed: ClaimedDelivery[]; events: Map<string, SentEvent> }> {
  if (leased.length === 0) return { claimed: [], events: new Map() };
  const [targets, events] = await Promise.all([readTargets(sql, leased, now), readEvents(sql, leased)]);
  const claimed = leased.flatMap((delivery) => {
    const known = targets.get(delivery.webhook_id);
    if (!known) return [];
    const { withheld_types: withheld, ...target } = known;
    const type = events.get(delivery.event_id)?.type;
    const isWithheld = target.webhook_standing === 'active' && type !== undefined && withheld.includes(type);
    return [Object.assign(delivery, target, isWithheld ? { webhook_standing: 'paused' as const } : {})];
  });
  return { claimed, events };
}

async function readTargets(
  sql: Statements,
  leased: readonly LeasedDelivery[],
  now: string,
): Promise<Map<string, Target & Withheld>> {
  const organizations = new Map(leased.map((each) => [each.webhook_id, each.organization_id]));
  const rows = await sql<(Target & Withheld & { id: string })[]>`
    select w.id, w.target_url, w.secret,
           case when w.previous_secret_until > ${now} then w.previous_secret end as previous_secret,
           ${standing(sql, now, sql`'{}'::text[]`)} as webhook_standing,
           case when w.oauth_connection_id is null then '{}' else
             array(select type from unnest(w.events) subscribed (type) where not ${roleBacks(sql, sql`array[type]`)})
           end as withheld_types
    from unnest(${[...organizations.values()]}::uuid[], ${[...organizations.keys()]}::uuid[])
      as wanted (organization_id, id)
    join webhooks w on w.organization_id = wanted.organization_id and w.id = wanted.id
    ${standingJoins(sql)}`;
  return new Map(rows.map(({ id, ...target }) => [id, target]));
}

async function readEvents(
  sql: Statements,
  leased: readonly LeasedDelivery[],
): Promise<Map<string, SentEvent>> {
  const organizations = new Map(leased.map((each) => [each.event_id, each.organization_id]));
  const rows = await sql<(SentEvent & { id: string })[]>`
    select e.id, e.type, e.envelope
    from unnest(${[...organizations.values()]}::uuid[], ${[...organizations.keys()]}::text[])
      as wanted (organization_id, id)
    join events e on e.organization_id = wanted.organization_id and e.id = wanted.id`;
  return new Map(rows.map(({ id, type, envelope }) => [id, { type, envelope }]));
}
