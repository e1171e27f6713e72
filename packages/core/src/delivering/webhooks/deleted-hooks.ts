import { attemptDelaysSeconds, type EventType, isEventType, limits } from '@dealkeep/contract';
import { factsOf } from '../../change/events/event-facts.ts';
import type { WebhookKey } from '../../change/queue/delivery-jobs.ts';
import type { Changing } from '../../change/verb/verb.ts';
import type { Fragment, Statements, Transaction } from '../../foundations/database/connect.ts';
import { notFound } from '../../foundations/problem.ts';
import { dropExcessHeldEvents, releaseNext, tellDropped } from './held-events.ts';
import { newWebhookSecret, placeOfSecret } from './signing-keys.ts';
import type { WantedColumns } from './wanted-events.ts';
import { endRestHooks, tellWithdrawn, withdrawDeliveries } from './withdraw-deliveries.ts';
import type { NewWebhook, Room } from './write-webhook.ts';

// A hook that its own credential deletes is kept for a day, as one that is disabled and holds its events: platforms
// delete and create when a workflow is switched off and on, and what waited meanwhile is not to be lost (rule hooks
// 27).

/** How long a deleted hook is kept. */
export const deletedHookMs = limits.deletedHookHours * 3600_000;

/** As long as the first retry waits: a platform has to keep the new secret before it can take what was held. */
const resumedAfterMs = attemptDelaysSeconds[1] * 1000;

/**
 * Deletes a hook: its secrets are gone at once, what waits for it is held. An organization keeps only so many; the
 * oldest go. Answers its name. Raises NOT_FOUND.
 *
 * @param own a condition on `webhooks`: those that the credential may delete
 */
export async function keepDeletedHook(
  { core, sql, organization, now, afterCommit }: Changing,
  own: Fragment,
  id: string,
): Promise<string | null> {
  const [deleted] = await sql<{ name: string | null; waits: boolean; beyond: string[] }[]>`
    with deleted as (
      update webhooks
      set deleted_at = ${now}, disabled_reason = 'failing', disabled_at = ${now}, dropped_events = 0, failing_since = null,
          idle_since = null, failing_told_at = null, secret = null, previous_secret = null, previous_secret_until = null,
          signing_key = null, previous_signing_key = null, public_key = null, headers = null
      where ${own} and id = ${id} returning name),
    resumed as (
      delete from queue_pauses where organization_id = ${organization} and webhook_id = ${id} and exists (select from deleted))
    select name, exists (select from deliveries d where d.webhook_id = ${id} and d.worker_id is null) as waits,
           -- Else who subscribes and unsubscribes all day would have every event held by thousands.
           array(select w.id from webhooks w where w.organization_id = ${organization} and w.deleted_at is not null
                 order by w.deleted_at desc, w.id desc offset ${limits.webhooksPerOrganization - 1}) as beyond
    from deleted`;
  if (!deleted) throw notFound();
  if (deleted.waits) {
    const withdrawn = await withdrawDeliveries(sql, [id], { now });
    afterCommit(() => tellWithdrawn(core.log, withdrawn));
  }
  const beyond = deleted.beyond.map((each) => ({ organization_id: organization, webhook_id: each }));
  if (beyond.length > 0) await endRestHooks(sql, beyond);
  return deleted.name;
}

/** The condition on `webhooks` that a hook like this was deleted and can be taken up. */
export function wasDeleted(
  sql: Statements,
  organization: string,
  { target_url, api_key_id = null, oauth_connection_id = null }: NewWebhook,
  now: string,
): Fragment {
  const since = new Date(Date.parse(now) - deletedHookMs).toISOString();
  return sql`
    organization_id = ${organization} and target_url = ${target_url} and deleted_at > ${since}
    and api_key_id is not distinct from ${api_key_id}::uuid
    and oauth_connection_id is not distinct from ${oauth_connection_id}::uuid`;
}

interface DeletedHook extends Pick<WantedColumns, 'filters' | 'changed_fields'> {
  readonly id: string;
  readonly events: string[];
}

/**
 * Has a hook that the credential deleted less than a day ago live again, with a new secret, where there is one with
 * this target: the one that wanted the same, else the one that was deleted last. What is held and is wanted still is
 * delivered as that of a disabled webhook is, from a few seconds later on. Undefined where there is none. Raises
 * LIMIT_EXCEEDED.
 */
export async function takeUpDeletedHook(
  { core, sql, organization, now, write, afterCommit }: Changing,
  hook: NewWebhook,
  room: Room,
): Promise<{ id: string; secret: string } | undefined> {
  const { name, events, wanted } = hook;
  const filters = wanted.filters && sql.json(wanted.filters);
  const [former] = await sql<DeletedHook[]>`
    select id, events, filters, changed_fields from webhooks
    where ${wasDeleted(sql, organization, hook, now)}
    order by (events @> ${[...events]} and events <@ ${[...events]} and filters is not distinct from ${filters}::jsonb
              and changed_fields is not distinct from ${wanted.changed_fields}::text[]) desc, deleted_at desc, id desc
    limit 1 for no key update`;
  if (!former) return undefined;
  const { id } = former;
  const which = sql`w.organization_id = ${organization} and w.id = ${id}`;
  const dropped = await dropExcessHeldEvents({ sql, clock: core.clock }, which);
  await dropUnwanted(sql, { organization_id: organization, webhook_id: id }, former, hook);
  const secret = newWebhookSecret();
  const lives = sql`
    update webhooks set ${sql({
      name,
      events: [...events],
      filters,
      changed_fields: wanted.changed_fields && [...wanted.changed_fields],
      condition: wanted.condition,
      secret: core.secrets.encrypt(secret, placeOfSecret({ organization_id: organization, id })),
      created_at: now,
      deleted_at: null,
      disabled_reason: null,
      disabled_at: null,
    })}
    where organization_id = ${organization} and id = ${id} and ${room.isThere} returning id`;
  await write(sql`written as (${lives})`, room.refused);
  await releaseNext(sql, which, new Date(Date.parse(now) + resumedAfterMs).toISOString());
  afterCommit(() => {
    tellDropped(core.log, dropped);
    core.deliveryJobs.add(organization, [id]);
  });
  return { id, secret };
}

/** Envelopes that are looked at together. */
const judgedAtOnce = 100;

/** Takes from what waits for a hook what it does not want any more. */
async function dropUnwanted(
  sql: Transaction,
  webhook: WebhookKey,
  former: DeletedHook,
  { events, wanted }: NewWebhook,
): Promise<void> {
  const asksTheSame =
    wanted.condition === null ||
    (JSON.stringify(former.filters) === JSON.stringify(wanted.filters) &&
      JSON.stringify(former.changed_fields) === JSON.stringify(wanted.changed_fields));
  if (asksTheSame && former.events.every((type) => events.includes(type))) return;
  const own = sql`organization_id = ${webhook.organization_id} and webhook_id = ${webhook.webhook_id}`;
  const waiting = await sql<{ event_id: string }[]>`
    select event_id from held_events where ${own}
    union select event_id from deliveries where ${own} and worker_id is null`;
  for (let at = 0; at < waiting.length; at += judgedAtOnce) {
    const ids = waiting.slice(at, at + judgedAtOnce).map(({ event_id }) => event_id);
    const unwanted = await unwantedOf(sql, webhook.organization_id, ids, { events, wanted });
    await sql`delete from held_events where ${own} and event_id = any(${unwanted}::text[])`;
    await sql`
      delete from deliveries where ${own} and event_id = any(${unwanted}::text[]) and worker_id is null`;
  }
}

/** By the facts of an event as they were when it was written: its envelope has them (rule hooks 19). */
async function unwantedOf(
  sql: Transaction,
  organization: string,
  ids: readonly string[],
  { events, wanted }: Pick<NewWebhook, 'events' | 'wanted'>,
): Promise<string[]> {
  const rows = await sql<{ id: string; type: string; envelope: string }[]>`
    select id, type, envelope from events where organization_id = ${organization} and id = any(${[...ids]}::text[])`;
  const isChosen = (type: string): type is EventType => isEventType(type) && events.includes(type);
  const unwanted = rows.flatMap(({ id, type }) => (isChosen(type) ? [] : [id]));
  if (wanted.condition === null) return unwanted;
  const chosen = rows.flatMap(({ id, type, envelope }) => {
    if (!isChosen(type)) return [];
    const { data, changed_fields: changed } = JSON.parse(envelope);
    return [{ id, facts: JSON.stringify(factsOf(type, data, changed)) }];
  });
  const failing = await sql<{ id: string }[]>`
    select id from unnest(${chosen.map(({ id }) => id)}::text[], ${chosen.map(({ facts }) => facts)}::text[]) as e (id, facts)
    where not coalesce(e.facts::jsonb @@ ${wanted.condition}::jsonpath, false)`;
  return [...unwanted, ...failing.map(({ id }) => id)];
}
