import type { IWebhookFunctions } from 'n8n-workflow';
import { isRecord } from '../record.ts';
import { DealkeepApi } from '../transport/request.ts';
import type { Patience } from '../transport/retry-delay.ts';
import type { Envelope } from './envelope.ts';
import { type FeedPosition, type FeedReading, readFeed, readPosition, startOf } from './feed.ts';
import type { HookSlot } from './hook-slot.ts';
import type { Wanted } from './trigger-parameters.ts';

// A workflow that is published again gets from the feed what happened meanwhile, with the first delivery and before it. How
// far it has come is in the static data alone, so that whatever is interrupted goes on with the next delivery. Nothing
// brings it sooner: n8n lets a trigger with a webhook start a workflow when it is called, and at no other time.

type StaticData = { [key: string]: unknown };

/** Read again before the last event that came: others of that time may have been on their way. Known ones are skipped. */
const overlap = 60_000;

/** Dealkeep waits ten seconds for the answer to a delivery. */
const deliveryPatience: Patience = {
  repetitions: 0,
  rateLimitWaits: 0,
  twinWaits: 0,
  longestWait: 0,
  answerLimit: 2000,
};
const longestReading = 2000;
const mostPages = 20;

interface Absence extends FeedPosition {
  /** The events that the workflow had subscribed to; of others it has missed nothing. */
  readonly events: readonly string[];
}

function readAbsence(staticData: StaticData): Absence | undefined {
  const stored = staticData['absence'];
  const position = readPosition(stored);
  const events = isRecord(stored) ? stored['events'] : undefined;
  return position && Array.isArray(events) ? { ...position, events: events.map(String) } : undefined;
}

export const isBehind = (staticData: StaticData): boolean => readAbsence(staticData) !== undefined;

/** The workflow listens no more. What it has not caught up with yet stays. */
export function beginAbsence(staticData: StaticData, { since: subscribed, events }: HookSlot): void {
  if (isBehind(staticData)) return;
  const last = staticData['lastReceived'];
  const before = typeof last === 'string' ? new Date(Date.parse(last) - overlap).toISOString() : subscribed;
  const since = before > subscribed ? before : subscribed;
  staticData['absence'] = { ...startOf(since, { events }), events: [...events] };
}

export function forgetAbsence(staticData: StaticData): void {
  delete staticData['absence'];
}

/** Until when the workflow has received what happened, by the clock of Dealkeep. */
export function noteReceived(staticData: StaticData, { timestamp }: Envelope): void {
  if (timestamp > String(staticData['lastReceived'] ?? '')) staticData['lastReceived'] = timestamp;
}

/**
 * The next events that were missed, in order; the static data holds how far this goes.
 *
 * @throws {ApiFailure} when they cannot be read now; the next delivery tries again
 */
export async function readMissed(
  context: IWebhookFunctions,
  staticData: StaticData,
  wanted: Wanted,
): Promise<Pick<FeedReading, 'events' | 'hasMore'>> {
  const absence = readAbsence(staticData);
  const events = wanted.events.filter((type) => absence?.events.includes(type));
  if (!absence || events.length === 0) {
    forgetAbsence(staticData);
    return { events: [], hasMore: false };
  }
  const api = new DealkeepApi(context, deliveryPatience);
  const limit = { pages: mostPages, until: Date.now() + longestReading };
  const reading = await readFeed(api, { ...wanted, events }, absence, limit);
  if (reading.lost !== undefined) context.logger.warn(`${context.getNode().name}: ${reading.lost}`);
  if (reading.hasMore) staticData['absence'] = { ...reading.position, events: absence.events };
  else forgetAbsence(staticData);
  return reading;
}
