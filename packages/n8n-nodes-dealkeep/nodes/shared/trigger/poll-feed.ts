import type { INodeExecutionData, IPollFunctions } from 'n8n-workflow';
import { requireFilterValues } from '../choices/filter-values.ts';
import { ParameterProblem } from '../failure.ts';
import { eventDays } from '../generated/events.ts';
import { nodeError } from '../node-error.ts';
import type { Patience } from '../transport/patience.ts';
import { DealkeepApi } from '../transport/request.ts';
import { type Envelope, outputOf } from './envelope.ts';
import { type FeedPosition, readFeed, startOf } from './feed.ts';
import { readState, writeState } from './poll-state.ts';
import { chosenFilters, optionsOf, type Wanted, wantedOf } from './trigger-parameters.ts';

/** n8n gives a poll up after some minutes, and begins the next one meanwhile. */
const pollPatience: Patience = {
  repetitions: { failure: 3, rateLimit: 2, inProgress: 0 },
  longestWait: 30_000,
  answerLimit: 20_000,
};

/** A thousand events in one execution; the rest comes with the next poll. */
const mostPages = 10;

/** Clocks of n8n and Dealkeep may differ so much. What happened just before the first poll is passed by. */
const overlap = 60_000;

/** What a test shows. */
const shownInTest = 10;

const hour = 3600_000;

/** What happened since the last poll; null when that is nothing. */
export async function pollFeed(context: IPollFunctions): Promise<INodeExecutionData[][] | null> {
  try {
    const wanted = wantedOf(context);
    const api = new DealkeepApi(context, pollPatience);
    const events =
      context.getMode() === 'manual'
        ? await latestEvents(api, wanted)
        : await newEvents(context, api, wanted);
    if (events.length === 0) return null;
    const options = optionsOf(context);
    return [context.helpers.returnJsonArray(events.map((event) => outputOf(event, options)))];
  } catch (error) {
    throw nodeError(context.getNode(), error);
  }
}

async function newEvents(
  context: IPollFunctions,
  api: DealkeepApi,
  wanted: Wanted,
): Promise<readonly Envelope[]> {
  const { position: before, filters: checked } = readState(context);
  const filters = chosenFilters(context);
  if (JSON.stringify(filters) !== checked) await requireFilterValues(api, filters);
  const reading = before
    ? await readFeed(api, wanted, before, { pages: mostPages })
    : { ...(await beginning(api, wanted)), events: [], lost: undefined };
  // Another poll of the same time was quicker and has brought this already.
  const { position: now } = readState(context);
  if (now && !isSame(before, now)) return [];
  writeState(context, reading.position, JSON.stringify(filters));
  if (reading.lost !== undefined) {
    // As an execution that failed, where the owner of the workflow looks; what is kept starts it nevertheless.
    context.__emitError(nodeError(context.getNode(), new ParameterProblem(reading.lost)));
  }
  return reading.events;
}

const isSame = (one: FeedPosition | undefined, other: FeedPosition | undefined): boolean =>
  one?.cursor === other?.cursor && one?.since === other?.since;

/** The position behind all that has happened until now. */
async function beginning(api: DealkeepApi, wanted: Wanted): Promise<{ position: FeedPosition }> {
  let position = startOf(ago(overlap), wanted);
  for (let hasMore = true; hasMore; ) {
    ({ position, hasMore } = await readFeed(api, wanted, position, { pages: mostPages }));
  }
  return { position };
}

/** The newest events, to choose fields from; they are looked for further and further back. */
async function latestEvents(api: DealkeepApi, wanted: Wanted): Promise<readonly Envelope[]> {
  for (const span of [hour, 24 * hour, eventDays * 24 * hour - hour]) {
    const { events } = await readFeed(api, wanted, startOf(ago(span), wanted), { pages: mostPages });
    if (events.length > 0) return events.slice(-shownInTest);
  }
  throw new ParameterProblem(
    `Nothing that is chosen has happened in the last ${eventDays} days`,
    'Let one of these events happen in Dealkeep, or choose others, and test again. Once published, the workflow starts with what happens from then on.',
  );
}

const ago = (milliseconds: number): string => new Date(Date.now() - milliseconds).toISOString();
