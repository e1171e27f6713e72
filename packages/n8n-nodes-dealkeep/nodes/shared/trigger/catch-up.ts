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

/** Items of one execution. */
const atOnce = 100;

/** Events that catching up can bring. */
export const eventsToCatchUp: string[] = Object.keys(events).filter((type) => events[type]?.catchUp);

/**
 * Starts the workflow with what was created or updated while it was not published, as far as the API's lists show it,
 * the oldest first. Does nothing unless it is wanted, and there was such a time.
 *
 * @throws {ApiFailure} when the API fails; the next publication tries again
 */
export async function catchUp(context: ITriggerFunctions): Promise<void> {
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
  let waiting: JsonRecord[] = [];
  const start = () => {
    if (waiting.length > 0) context.emit([context.helpers.returnJsonArray(waiting)]);
    waiting = [];
  };
  for await (const { envelope, names } of missedEvents(api, context, absence, memory)) {
    memory.remember(names, 'caught up');
    waiting.push(options.output === 'envelope' ? { ...envelope.whole, ...whole } : recordOutput(envelope));
    found += 1;
    if (waiting.length === atOnce) start();
  }
  start();
  writeAbsence(staticData, undefined);
  context.logger.info(
    `${context.getNode().name} has caught up since ${absence.since}: ${found} created or updated`,
  );
}

/** n8n subscribes beside this, or before. Undefined when there is nothing to catch up with. */
async function subscribedAgain(staticData: { [key: string]: unknown }): Promise<Absence | undefined> {
  // Of an earlier publication.
  if (readAbsence(staticData)?.outcome === 'refused') reopenAbsence(staticData);
  const pause = 50;
  for (let waited = 0; waited < longestSubscription; waited += pause) {
    const absence = readAbsence(staticData);
    if (!absence || absence.outcome === 'refused') return undefined;
    if (absence.outcome === 'subscribed') return absence;
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
): AsyncGenerator<{ envelope: Envelope; names: readonly string[] }, void, void> {
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
