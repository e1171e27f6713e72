import { randomUUIDv7 } from 'node:crypto';
import { type EventType, limits, sampleEnvelope, type Text } from '@dealkeep/contract';
import type { Core } from '../core.ts';
import { type AttemptEntry, entryOf, insertAttempts } from '../deliveries/log/logged-attempts.ts';
import { errorOf } from '../deliveries/log/search-deliveries.ts';
import { AttemptSender, type SentDelivery, type SentEvent } from '../deliveries/send-attempt.ts';
import { newEventId } from '../events/event-book.ts';
import { pausedSince } from '../installation/queue.ts';
import { createGuardedAgent, type RequestOutcome } from '../outgoing/index.ts';
import { Problem } from '../problem.ts';
import { type OrganizationName, transact } from '../verb/transact.ts';
import { lockWebhook } from './manual-webhook-steps.ts';
import { eventTypesOf } from './rest-hooks.ts';

/** What came of a test event. */
export interface TestResult {
  event_id: string;
  delivered: boolean;
  /** Null when nothing was answered. */
  status: number | null;
  /** Why nothing was answered, or that a redirect was not followed. */
  error: Text | null;
  /** The start of the answer. */
  response_start: string | null;
  duration_ms: number;
}

/**
 * Sends a sample to a manual webhook, enabled or not: its envelope has `test` true, it is tried once, stands in the
 * delivery log, and says nothing about the webhook's health. Takes up to 10 seconds. Raises NOT_FOUND,
 * UNKNOWN_EVENT, and CONFLICT while the operator has nothing sent.
 *
 * @param event its type; the webhook's first one when absent
 */
export async function sendTestEvent(
  core: Core,
  organization: OrganizationName,
  { id, event }: { id: string; event?: string },
): Promise<TestResult> {
  if (core.deliveriesHeld || (await pausedSince(core.sql)) !== null) throw new Problem('delivery.all_held');
  const asked = event === undefined ? undefined : eventTypesOf([event]);
  const webhook = await transact(core, organization, ({ sql }) => lockWebhook(sql, organization.id, id));
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
  await transact(core, organization, async ({ sql }) => {
    await sql`
      insert into events (organization_id, id, type, record_id, occurred_at, envelope, test)
      values (${organization.id}, ${delivery.event_id}, ${type}, ${recordId(envelope.data)},
              ${startedAt.toISOString()}, ${body}, true)`;
    await insertAttempts(sql, [entry]);
  });
  return resultOf(entry);
}

const testEnvelope = (type: EventType, { id, slug }: OrganizationName, at: Date) =>
  sampleEnvelope(type, { id, slug }, at.toISOString());

const recordId = (data: Record<string, unknown>): string => String(data['id'] ?? data['uuid']);

async function send(
  core: Core,
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
    return await sender.send(delivery, event, startedAt);
  } finally {
    await agent.destroy();
  }
}

function resultOf({ event_id, status, failure, failure_detail, ...entry }: AttemptEntry): TestResult {
  const { response_start, duration_ms } = entry;
  const delivered = status !== null && status >= 200 && status < 300;
  const error = errorOf(failure, failure_detail);
  return { event_id, delivered, status, error, response_start, duration_ms };
}
