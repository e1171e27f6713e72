import { events } from '../generated/events.ts';
import { isRecord, type JsonRecord } from '../record.ts';
import type { TriggerOptions, Wanted } from './trigger-parameters.ts';

/** What a delivery's body says, and what the feed lists (rule events 10). */
export interface Envelope {
  readonly id: string;
  readonly type: string;
  readonly timestamp: string;
  readonly data: JsonRecord;
  /** Only in updated events: the fields of `data` that differ from before. */
  readonly changedFields?: readonly string[];
  /** Former values of the fields of `data` that differ, where the event tells. */
  readonly previous?: JsonRecord;
  /** Everything, as it came. */
  readonly whole: JsonRecord;
}

/** Undefined when the body is no envelope. */
export function readEnvelope(body: unknown): Envelope | undefined {
  if (!isRecord(body)) return undefined;
  const { id, type, timestamp, data, changed_fields: changed, previous } = body;
  if (typeof id !== 'string' || typeof type !== 'string' || !isRecord(data)) return undefined;
  return {
    id,
    type,
    timestamp: String(timestamp),
    data,
    whole: body,
    ...(Array.isArray(changed) ? { changedFields: changed.map(String) } : {}),
    ...(isRecord(previous) ? { previous } : {}),
  };
}

/** What the workflow receives of an event. */
export const outputOf = (envelope: Envelope, { output }: Pick<TriggerOptions, 'output'>): JsonRecord =>
  output === 'envelope' ? envelope.whole : recordOutput(envelope);

/** The record with the event's particulars beside its fields: what workflows use most, at the top level. */
function recordOutput(envelope: Envelope): JsonRecord {
  return {
    ...envelope.data,
    event_id: envelope.id,
    event_type: envelope.type,
    event_timestamp: envelope.timestamp,
    ...(envelope.changedFields ? { changed_fields: envelope.changedFields } : {}),
    ...(envelope.previous ? { previous: envelope.previous } : {}),
  };
}

/**
 * Whether an event starts the workflow where the API has decided what fits. One request that changes fields of a
 * record and moves it makes an update and a move, and both hold the record as it is then: where they were chosen as
 * one, the move does.
 */
export function isStarting(
  { type, changedFields = [] }: Envelope,
  { events: types, asOne }: Wanted,
): boolean {
  const isToldByMove = asOne && types.some((each) => changedFields.includes(events[each]?.moves ?? ''));
  return types.includes(type) && !isToldByMove;
}

/**
 * Whether an event of the feed is wanted. The API decides the same of what it delivers (rules hooks 17); the feed
 * has every event of the chosen types.
 */
export function isWanted(event: Envelope, wanted: Wanted): boolean {
  const { type, data, changedFields } = event;
  const { watch, filters: paths = {} } = events[type] ?? {};
  const isWatched =
    watch === undefined ||
    wanted.changedFields.length === 0 ||
    wanted.changedFields.some((field) => changedFields?.includes(field));
  return (
    isStarting(event, wanted) &&
    isWatched &&
    Object.entries(wanted.filters).every(([filter, values]) =>
      valuesAt(data, paths[filter] ?? '').some((value) => values.includes(String(value))),
    )
  );
}

/** The values at a path such as `assignees[].id`. */
const valuesAt = (data: JsonRecord, path: string): unknown[] =>
  path
    .replaceAll('[]', '')
    .split('.')
    .reduce<unknown[]>(
      (found, key) =>
        found.flatMap((value) => (isRecord(value) && value[key] !== null ? (value[key] ?? []) : [])),
      [data],
    );
