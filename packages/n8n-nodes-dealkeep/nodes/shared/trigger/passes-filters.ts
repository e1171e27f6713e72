import { valueAt } from '../record.ts';
import type { EventTable } from '../tables.ts';
import type { Envelope } from './envelope.ts';

export interface TriggerFilters {
  readonly events: readonly string[];
  /** By resource: fields of which one must have changed; empty or absent for any. */
  readonly fieldsToWatch: Readonly<Record<string, readonly string[]>>;
  /** By resource: the ids that paths of the record must have (`stage.id`). */
  readonly ids: Readonly<Record<string, Readonly<Record<string, string>>>>;
}

/** Whether an event starts the workflow. */
export function passesFilters(
  envelope: Envelope,
  filters: TriggerFilters,
  events: Readonly<Record<string, EventTable>>,
): boolean {
  if (!filters.events.includes(envelope.type)) return false;
  const event = events[envelope.type];
  if (!event) return true;
  const watched = filters.fieldsToWatch[event.entity] ?? [];
  if (event.updated && watched.length > 0 && envelope.changedFields) {
    if (!envelope.changedFields.some((field) => watched.includes(field))) return false;
  }
  return Object.entries(filters.ids[event.entity] ?? {}).every(
    ([path, id]) => valueAt(envelope.data, path) === id,
  );
}
