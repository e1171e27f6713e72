import type { IWebhookFunctions } from 'n8n-workflow';
import { isRecord } from '../record.ts';
import type { Patience } from '../transport/patience.ts';
import { DealkeepApi } from '../transport/request.ts';
import type { Envelope } from './envelope.ts';
import { type FeedPosition, type FeedReading, readFeed, readPosition, startOf } from './feed.ts';
import type { HookSlot } from './hook-slot.ts';
import type { Memory } from './node-memory.ts';
import type { Wanted } from './trigger-parameters.ts';

// A workflow that is published again gets from the feed what happened meanwhile, with the first delivery and before
// it. How far it has come is in the node's memory alone, so that whatever is interrupted goes on with the next
// delivery. Nothing brings it sooner: n8n lets a trigger with a webhook start a workflow when it is called, and at
// no other time.

/**
 * Read again before the last event that came: others of that time may have been on their way. Known ones are
 * skipped.
 */
const overlap = 60_000;

/** Dealkeep waits ten seconds for the answer to a delivery. */
const deliveryPatience: Patience = {
  repetitions: { failure: 0, rateLimit: 0, inProgress: 0 },
  longestWait: 0,
  answerLimit: 2000,
};
const longestReading = 2000;
const mostPages = 20;

interface Absence extends FeedPosition {
  /** The events that the workflow had subscribed to; of others it has missed nothing. */
  readonly events: readonly string[];
}

function readAbsence(memory: Memory): Absence | undefined {
  const stored = memory.get('absence');
  const position = readPosition(stored);
  const events = isRecord(stored) ? stored['events'] : undefined;
  return position && Array.isArray(events) ? { ...position, events: events.map(String) } : undefined;
}

export const isBehind = (memory: Memory): boolean => readAbsence(memory) !== undefined;

/** The workflow listens no more. What it has not caught up with yet stays. */
export function beginAbsence(memory: Memory, { since: subscribed, events }: HookSlot): void {
  if (isBehind(memory)) return;
  const last = memory.get('lastReceived');
  const before = typeof last === 'string' ? new Date(Date.parse(last) - overlap).toISOString() : subscribed;
  const since = before > subscribed ? before : subscribed;
  memory.set('absence', { ...startOf(since, { events }), events: [...events] });
}

export function forgetAbsence(memory: Memory): void {
  memory.delete('absence');
}

/** Until when the workflow has received what happened, by the clock of Dealkeep. */
export function noteReceived(memory: Memory, { timestamp }: Envelope): void {
  if (timestamp > String(memory.get('lastReceived') ?? '')) memory.set('lastReceived', timestamp);
}

/**
 * The next events that were missed, in order; the memory holds how far this goes.
 *
 * @throws {ApiFailure} when they cannot be read now; the next delivery tries again
 */
export async function readMissed(
  context: IWebhookFunctions,
  memory: Memory,
  wanted: Wanted,
): Promise<Pick<FeedReading, 'events' | 'hasMore'>> {
  const absence = readAbsence(memory);
  const events = wanted.events.filter((type) => absence?.events.includes(type));
  if (!absence || events.length === 0) {
    forgetAbsence(memory);
    return { events: [], hasMore: false };
  }
  const api = new DealkeepApi(context, deliveryPatience);
  const limit = { pages: mostPages, until: Date.now() + longestReading };
  const reading = await readFeed(api, { ...wanted, events }, absence, limit);
  if (reading.lost !== undefined) context.logger.warn(`${context.getNode().name}: ${reading.lost}`);
  if (reading.hasMore) memory.set('absence', { ...reading.position, events: absence.events });
  else forgetAbsence(memory);
  return reading;
}
