import { randomUUIDv7 } from 'node:crypto';
import { type EventType, limits, sampleEnvelope } from '@dealkeep/contract';
import { newEventId } from '../../change/events/outbox.ts';
import { isPaused, nothingPaused } from '../../change/queue/queue-pauses.ts';
import type { Services } from '../../change/services.ts';
import type { OrganizationName } from '../../change/verb/unit-of-work.ts';
import { type ResultOf, writes } from '../../change/verb/verb.ts';
import { createGuardedAgent, type RequestOutcome } from '../../foundations/outgoing/index.ts';
import { notFound, Problem } from '../../foundations/problem.ts';
import type { Credential } from '../../identity/credentials/credential.ts';
import { AttemptSender, type SentDelivery } from '../deliveries/attempt-sender.ts';
import type { SentEvent } from '../deliveries/lease/lease.ts';
import { type AttemptEntry, attemptsInsert, entryOf } from '../deliveries/write/attempt-log.ts';
import { hooksOfCredential, isChangeable } from '../webhooks/rest-hooks.ts';
import type { SealedColumn } from '../webhooks/signing-keys.ts';
import { eventTypeOf, eventTypesOf } from '../webhooks/wanted-events.ts';
import { type WebhookStatus, webhookStatus, webhookStatusJoins } from '../webhooks/webhook-status.ts';
import { errorOf } from './search-deliveries.ts';

/** What was sent, and came of it. */
interface Sent {
  readonly type: EventType;
  readonly record: string;
  readonly body: string;
  readonly startedAt: Date;
  readonly entry: AttemptEntry;
}

/**
 * Sends a sample to a webhook, a disabled one made by hand as well: its envelope has `test` true, it is tried once,
 * stands in the delivery log, and says nothing about the webhook's health. Takes up to 10 seconds. Raises NOT_FOUND,
 * UNKNOWN_EVENT, and CONFLICT while the webhook is paused, or the operator has nothing sent.
 */
export const sendTestEvent = writes('webhooks.test', {
  async beforeTransaction(_, { body: { event } }) {
    if (event !== undefined) eventTypeOf(event);
    return undefined;
  },
  async actOnce({ core, actor }, { path: { id }, body: { event } }): Promise<Sent> {
    const { organization } = actor;
    const asked = event === undefined ? undefined : [eventTypeOf(event)];
    const webhook = await tested(core, actor, id, asked);
    const [type] = asked ?? eventTypesOf(webhook.events);
    if (!type) throw new Error('A webhook has at least one event');
    const delivery = {
      organization_id: organization.id,
      webhook_id: id,
      event_id: newEventId(),
      number: 1,
      by_hand: true,
    };
    const startedAt = core.clock.now();
    const envelope = { ...testEnvelope(type, organization, startedAt), id: delivery.event_id };
    const body = JSON.stringify(envelope);
    const outcome = await send(core, { ...delivery, ...webhook }, { type, envelope: body }, startedAt);
    const entry = entryOf({ id: randomUUIDv7(), delivery, eventType: type, startedAt, outcome }, null);
    return { type, record: recordId(envelope.data), body, startedAt, entry };
  },
  async run({ sql, organization, write }, { learned: { type, record, body, startedAt, entry } }) {
    await write(sql`
      sample as (
        insert into events (organization_id, id, type, record_id, occurred_at, envelope, test)
        values (${organization}, ${entry.event_id}, ${type}, ${record}, ${startedAt.toISOString()}, ${body}, true)),
      written as (${attemptsInsert(sql, [entry])} returning true)`);
    return resultOf(type, entry);
  },
});

interface Tested extends Pick<SentDelivery, 'target_url' | SealedColumn> {
  events: string[];
}

/**
 * The webhook that is to be sent a test of an event, of its first one when none is named. Raises NOT_FOUND and
 * CONFLICT.
 */
async function tested(
  { sql, clock, deliveriesHeld }: Services,
  actor: Credential,
  id: string,
  asked: readonly EventType[] | undefined,
): Promise<Tested> {
  const now = clock.now().toISOString();
  const types = asked ? sql`${[...asked]}::text[]` : sql`w.events[1:1]`;
  const [row] = await sql<(Tested & { state: WebhookStatus; may_send: boolean; is_paused: boolean })[]>`
    select w.events, w.target_url, w.secret, w.signing_key, w.headers,
           case when w.previous_secret_until > ${now} then w.previous_secret end as previous_secret,
           case when w.previous_secret_until > ${now} then w.previous_signing_key end as previous_signing_key,
           ${webhookStatus(sql, now, types)} as state, ${nothingPaused(sql)} as may_send, ${isPaused(sql)} as is_paused
    from webhooks w ${webhookStatusJoins(sql)}
    where w.organization_id = ${actor.organization.id} and w.id = ${id}
      and w.id in (select id from webhooks where ${hooksOfCredential(sql, actor)} and ${isChangeable(sql, actor)})`;
  if (!row) throw notFound();
  const { state, may_send: maySend, is_paused: isHeld, ...webhook } = row;
  if (deliveriesHeld || !maySend) throw new Problem('delivery.all_held');
  if (isHeld) throw new Problem('delivery.webhook_held');
  // Whoever mends the receiver of a disabled one tries it before enabling it.
  if (state !== 'active' && state !== 'disabled') throw new Problem('delivery.webhook_inactive');
  return webhook;
}

const testEnvelope = (type: EventType, { id, slug }: OrganizationName, at: Date) =>
  sampleEnvelope(type, { id, slug }, at.toISOString());

const recordId = (data: Record<string, unknown>): string => String(data['id'] ?? data['uuid']);

async function send(
  core: Services,
  delivery: SentDelivery,
  event: SentEvent,
  startedAt: Date,
): Promise<RequestOutcome> {
  const agent = createGuardedAgent({ allowed: core.allowedTargets, proxy: core.outboundProxy });
  try {
    const sender = new AttemptSender({
      agent,
      secrets: core.secrets,
      limitMs: limits.deliveryTimeoutSeconds * 1000,
    });
    return await sender.send(sender.sign(delivery, event, startedAt));
  } finally {
    await agent.destroy();
  }
}

function resultOf(
  event: EventType,
  { event_id, status, failure, failure_detail, response_start, duration_ms }: AttemptEntry,
): ResultOf<'webhooks.test'> {
  return {
    delivery_id: event_id,
    event,
    delivered: status !== null && status >= 200 && status < 300,
    response_status: status,
    error: errorOf(failure, failure_detail),
    response_start,
    duration_ms,
  };
}
