import { type EventType, events, isUpdate, limits, stateLeftBy } from '@dealkeep/contract';
import type { TriggerDeclaration } from '../catalog/triggers.ts';
import type { FormField } from '../forms/form-field.ts';
import { type ApiRecord, isApiRecord } from '../records/api-record.ts';
import { operationOn } from '../registry.ts';
import { pageIn } from '../requests/answer.ts';
import type { Api } from '../requests/api.ts';
import { wholeRecord } from '../requests/whole-record.ts';
import { filtersOfEvents } from './event-filters.ts';
import { envelopeFor, eventOutput, eventSample, toldBy } from './event-output.ts';
import { type FedEvent, newestEvents, newestOfRecord } from './newest-events.ts';
import { hookFilters } from './trigger-form.ts';
import { refuseVainFilters } from './vain-filters.ts';
import { isToldByMove, isWanted, type WantedEvents, wantedEvents } from './wanted-events.ts';

/** The editor shows the newest of them; a few let the user pick one that has the fields filled in. */
const mostRecords = 3;
const mostEvents = 3;

/**
 * What a trigger is tested with: the newest real events, as they were delivered. Where the feed has none any more
 * the latest records in the form of deliveries, and the sample where there are none of these either. Filters by what
 * is gone are refused.
 */
export async function latestRecords(
  api: Api,
  declaration: TriggerDeclaration,
  input: Readonly<Record<string, unknown>>,
  now = new Date(),
): Promise<ApiRecord[]> {
  const wanted = wantedEvents(declaration, input);
  const told = toldBy(declaration, input);
  // Of chosen events one of each is shown; else all of them are one to the user, and the newest are shown.
  const groups = declaration.choose
    ? wanted.events.slice(0, mostEvents).map((type) => [type])
    : [[...wanted.events]];
  const most = declaration.choose ? 1 : mostRecords;
  const types = groups.flat();
  if (types.length === 0) return [];
  const newestIn = (group: readonly EventType[], found: readonly FedEvent[]): FedEvent[] =>
    eachRecordOnce(found.filter(({ type }) => group.includes(type))).slice(0, most);
  const { events: found, isWhole } = await newestEvents(api, types, {
    fits: ({ type, envelope }) =>
      isWanted(wanted, type, envelope) && !isToldByMove(declaration, wanted, type, envelope),
    isEnough: (some) => groups.every((group) => newestIn(group, some).length === most),
    now,
  });
  const outputs = groups.map(async (group): Promise<ApiRecord[]> => {
    const fed = newestIn(group, found);
    const latest =
      isWhole && fed.length > 0 ? [] : await latestOf(api, { group, wanted, most, isWhole, now });
    const shown = latest.length > 0 ? latest : fed;
    if (shown.length > 0) return shown.map(({ type, envelope }) => eventOutput(type, envelope, told));
    // Nothing fits, perhaps because nothing can: then the sample would only look as if all were well.
    await refuseVainFilters(api, wanted.events, hookFilters(declaration, input), input);
    const [sampled = group[0]] = group.filter(isUpdate);
    return sampled ? [eventSample(sampled, told)] : [];
  });
  return (await Promise.all(outputs)).flat();
}

/** Platforms take runs of one record for one run. */
function eachRecordOnce(found: readonly FedEvent[]): FedEvent[] {
  const ids = found.map(({ envelope }) => idOf(envelope['data']));
  return found.filter((_, index) => ids.indexOf(ids[index] ?? '') === index);
}

/** Orders and products have a uuid where the rest have an id. */
const idOf = (record: unknown): string =>
  isApiRecord(record) ? String(record['id'] ?? record['uuid'] ?? '') : '';

interface Sought {
  readonly group: readonly EventType[];
  readonly wanted: WantedEvents;
  readonly most: number;
  /** True when the feed was looked through: then it has no event of them. */
  readonly isWhole: boolean;
  readonly now: Date;
}

/** The records that were changed last, as the events that their state comes from. */
async function latestOf(api: Api, { group, wanted, most, isWhole, now }: Sought): Promise<FedEvent[]> {
  const [type] = group;
  const list = type && operationOn(events[type].entity, 'list');
  if (!type || !list) return [];
  const { entity, category } = events[type];
  const filters = filtersOfEvents([type]);
  const listed = await api.call({
    operation: list,
    query: {
      ...stateLeftBy(type, now),
      ...listFilters(filters, wanted),
      sort: category === 'created' ? '-created_at' : '-updated_at',
      limit: most,
    },
    fields: filters,
  });
  return Promise.all(
    pageIn(listed).items.map(async (item): Promise<FedEvent> => {
      const real = isWhole ? undefined : await newestOfRecord(api, type, idOf(item));
      if (real) return real;
      // As deliveries hold it.
      const record = await wholeRecord(api, entity, item);
      return { type, envelope: envelopeFor(type, record, wanted.changedFields) };
    }),
  );
}

/** What a list takes of the filters of a hook: less values of each, and of texts one. */
const listFilters = (filters: readonly FormField[], wanted: WantedEvents): Record<string, string> =>
  Object.fromEntries(
    filters.flatMap(({ key, reference, choices }) => {
      const values = wanted.filters[key]?.slice(0, reference || choices ? limits.filterValues : 1) ?? [];
      return values.length > 0 ? [[key, values.join()]] : [];
    }),
  );
