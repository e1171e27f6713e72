import { type ITriggerFunctions, sleep } from 'n8n-workflow';
import { ApiFailure } from '../failure.ts';
import { events } from '../generated/events.ts';
import { isRecord, type JsonRecord, valueAt } from '../record.ts';
import type { CatchUp, EventTable } from '../tables.ts';
import { listRecords } from '../transport/pages.ts';
import { DealkeepApi } from '../transport/request.ts';
import { workflowPatience } from '../transport/retry-delay.ts';
import { type Absence, readAbsence, reopenAbsence, writeAbsence } from './absence.ts';
import { ChangeMemory, changeNames } from './change-memory.ts';
import { type Envelope, recordOutput } from './envelope.ts';
import { passesFilters } from './passes-filters.ts';
import { filtersOf, nodeKey, optionsOf } from './trigger-parameters.ts';

/** Read again before the absence: clocks differ, and what was delivered then is known by its name. */
const overlap = 60_000;

const longestSubscription = 60_000;

/** n8n asks again for a subscription that was refused, after pauses of some seconds. */
const longestRefusal = 10_000;

interface Missed {
  readonly envelope: Envelope;
  /** By which the change is known. */
  readonly names: readonly string[];
}

/** Items of one execution. */
const atOnce = 100;

/** Events that catching up can bring. */
export const eventsToCatchUp: string[] = Object.keys(events).filter((type) => events[type]?.catchUp);

/** How long n8n waits for the rest; it gives a publication up after a minute and a half. */
const longestWait = 20_000;

/**
 * Starts the workflow with what was created or updated while it was not published, as far as the API's lists show it,
 * the oldest first. Does nothing unless it is wanted, and there was such a time. What takes long goes on after the
 * publication, until the workflow is unpublished; the next publication then begins where this one was.
 *
 * @param failed is told when the API fails after the publication
 * @returns what ends it
 * @throws {ApiFailure} when the API fails; n8n tries again, and so does the next publication
 */
export async function catchUp(
  context: ITriggerFunctions,
  failed: (error: unknown) => void,
): Promise<() => Promise<void>> {
  const publication = { isOver: false };
  const work = bringWhatWasMissed(context, publication);
  const isDone = await Promise.race([work.then(() => true), sleep(longestWait).then(() => false)]);
  if (!isDone) {
    work.catch((error) => {
      // Nobody waits for it any more; the next publication begins there.
      if (!publication.isOver) failed(error);
    });
  }
  return async () => {
    publication.isOver = true;
  };
}

async function bringWhatWasMissed(
  context: ITriggerFunctions,
  publication: { readonly isOver: boolean },
): Promise<void> {
  const staticData = context.getWorkflowStaticData('node');
  const options = optionsOf(context);
  if (!options.catchUp) writeAbsence(staticData, undefined);
  const absence = await subscribedAgain(staticData);
  if (!absence) return;
  const api = new DealkeepApi(context, workflowPatience);
  const memory = new ChangeMemory(staticData, nodeKey(context));
  const whole =
    options.output === 'envelope' ? envelopeParts(await api.request({ method: 'GET', path: '/me' })) : {};
  let found = 0;
  let waiting: Missed[] = [];
  const start = () => {
    const outputs: JsonRecord[] = [];
    for (const { envelope, names } of waiting) {
      // It was delivered meanwhile, or came as a new record with what was changed since.
      if (memory.isKnown(names)) continue;
      // Not before: what is remembered and not brought would be lost when the API fails.
      memory.remember(names, 'caught up');
      outputs.push(options.output === 'envelope' ? { ...envelope.whole, ...whole } : recordOutput(envelope));
    }
    if (outputs.length > 0) context.emit([context.helpers.returnJsonArray(outputs)]);
    found += outputs.length;
    waiting = [];
  };
  for await (const missed of missedEvents(api, context, absence, memory)) {
    if (publication.isOver) return;
    if (waiting.length === atOnce) start();
    waiting.push(missed);
  }
  if (publication.isOver) return;
  // Before the last start, with which n8n keeps what the trigger remembers.
  writeAbsence(staticData, undefined);
  start();
  context.logger.info(
    `${context.getNode().name} has caught up since ${absence.since}: ${found} created or updated`,
  );
}

/** n8n subscribes beside this, or before. Undefined when there is nothing to catch up with. */
async function subscribedAgain(staticData: { [key: string]: unknown }): Promise<Absence | undefined> {
  // Of an earlier publication.
  if (readAbsence(staticData)?.outcome === 'refused') reopenAbsence(staticData);
  const pause = 50;
  let refused = 0;
  for (let waited = 0; waited < longestSubscription; waited += pause) {
    const absence = readAbsence(staticData);
    if (!absence || refused > longestRefusal) return undefined;
    if (absence.outcome === 'subscribed') return absence;
    refused = absence.outcome === 'refused' ? refused + pause : 0;
    await sleep(pause);
  }
  throw new ApiFailure({
    message: 'The trigger was not subscribed within a minute. Publish the workflow again',
  });
}

async function* missedEvents(
  api: DealkeepApi,
  context: ITriggerFunctions,
  absence: Absence,
  memory: ChangeMemory,
): AsyncGenerator<Missed, void, void> {
  const filters = filtersOf(context);
  const since = new Date(Date.parse(absence.since) - overlap).toISOString();
  const chosen = filters.events.filter((type) => absence.events.includes(type));
  // Whoever gets a new record needs no update to what it is now, so creations come first.
  for (const type of eventsToCatchUp.filter((each) => chosen.includes(each))) {
    const event = events[type];
    if (!event?.catchUp) continue;
    for await (const record of changedRecords(api, event, event.catchUp, since)) {
      const id = String(record[event.catchUp.id]);
      const names = changeNames(event, id, record);
      if (memory.isKnown(names)) continue;
      const envelope = envelopeOf(type, event, await wholeRecord(api, event.catchUp, id, record), names);
      if (!envelope || !passesFilters(envelope, filters, events)) continue;
      // Which fields changed, nobody knows any more.
      yield { envelope: event.updated ? { ...envelope, changedFields: [] } : envelope, names };
    }
  }
}

async function* changedRecords(
  api: DealkeepApi,
  event: EventTable,
  { list, since: filter }: CatchUp,
  since: string,
): AsyncGenerator<JsonRecord, void, void> {
  const query = { [filter]: since, sort: event.updated ? 'updated_at' : 'created_at' };
  for await (const record of listRecords(api, { path: list, paged: true, query, limit: undefined })) {
    if (!isRecord(record)) continue;
    // A new record has not been updated yet.
    if (event.updated && record['created_at'] === record['updated_at']) continue;
    yield record;
  }
}

/** As events carry it; undefined when it is gone meanwhile. */
async function wholeRecord(
  api: DealkeepApi,
  { get }: CatchUp,
  id: string,
  listed: JsonRecord,
): Promise<JsonRecord | undefined> {
  if (get === undefined) return listed;
  const path = get.replace(/\{\w+\}/, encodeURIComponent(id));
  const data = valueAt(await api.request({ method: 'GET', path, mayBeGone: true }), 'data');
  return isRecord(data) ? data : undefined;
}

/** The event as it would have been delivered. */
function envelopeOf(
  type: string,
  event: EventTable,
  data: JsonRecord | undefined,
  [name = '']: readonly string[],
): Envelope | undefined {
  if (!data) return undefined;
  const id = `caught_up_${name}`;
  const timestamp = String((event.updated ? undefined : data['created_at']) ?? data['updated_at']);
  const changed = event.updated ? { changed_fields: [] } : {};
  return { id, type, timestamp, data, whole: { id, type, timestamp, test: false, data, ...changed } };
}

/** What every envelope says of the organization and the API. */
function envelopeParts(me: unknown): JsonRecord {
  const [id, slug] = [valueAt(me, 'data.organization.id'), valueAt(me, 'data.organization.slug')];
  return {
    api_version: String(valueAt(me, 'data.api_version')),
    organization: { id: String(id), slug: String(slug) },
  };
}
