import type { ITriggerFunctions } from 'n8n-workflow';
import { events } from '../generated/events.ts';
import { isRecord, type JsonRecord, valueAt } from '../record.ts';
import type { CatchUp, EventTable } from '../tables.ts';
import { listRecords } from '../transport/pages.ts';
import type { DealkeepApi } from '../transport/request.ts';
import type { Absence } from './absence.ts';
import { type ChangeMemory, changeNames } from './change-memory.ts';
import type { Envelope } from './envelope.ts';
import { passesFilters } from './passes-filters.ts';
import { filtersOf } from './trigger-parameters.ts';

/** Read again before the absence: clocks differ, and what was delivered then is known by its name. */
const overlap = 60_000;

export interface MissedEvent {
  readonly envelope: Envelope;
  /** By which the change is known. */
  readonly names: readonly string[];
  /** ISO 8601; when it happened, by the API's clock. */
  readonly at: string;
}

/** Events that catching up can bring. */
export const eventsToCatchUp: string[] = Object.keys(events).filter((type) => events[type]?.catchUp);

/**
 * What the API's lists show of an absence and the memory does not know, event by event, the oldest first.
 *
 * @throws {ApiFailure} when the API fails
 */
export async function* missedEvents(
  api: DealkeepApi,
  context: ITriggerFunctions,
  absence: Absence,
  memory: ChangeMemory,
): AsyncGenerator<MissedEvent, void, void> {
  const filters = filtersOf(context);
  const chosen = filters.events.filter((type) => absence.events.includes(type));
  // Whoever gets a new record needs no update to what it is now, so creations come first.
  for (const type of eventsToCatchUp.filter((each) => chosen.includes(each))) {
    const event = events[type];
    if (!event?.catchUp) continue;
    for await (const record of changedRecords(api, event, event.catchUp, beginning(absence, type))) {
      const id = String(record[event.catchUp.id]);
      const names = changeNames(event, id, record);
      if (memory.isKnown(names)) continue;
      const envelope = envelopeOf(type, event, await wholeRecord(api, event.catchUp, id, record), names);
      if (!envelope || !passesFilters(envelope, filters, events)) continue;
      // Which fields changed, nobody knows any more.
      yield {
        envelope: event.updated ? { ...envelope, changedFields: [] } : envelope,
        names,
        at: momentOf(event, record),
      };
    }
  }
}

/** After which an event is looked for. What happened in the last moment that was reached is known by its name. */
function beginning({ since, reached }: Absence, type: string): string {
  const last = reached[type];
  return new Date(last === undefined ? Date.parse(since) - overlap : Date.parse(last) - 1).toISOString();
}

const momentOf = (event: EventTable, record: JsonRecord): string =>
  String(record[event.updated ? 'updated_at' : 'created_at']);

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
