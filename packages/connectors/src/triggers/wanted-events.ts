import { type EventType, events, filteredValuesOf, isUpdate } from '@dealkeep/contract';
import type { TriggerDeclaration } from '../catalog/triggers.ts';
import { bodyOf } from '../forms/body-of.ts';
import { chosen } from '../forms/chosen.ts';
import { type ApiRecord, isApiRecord } from '../records/api-record.ts';
import { changedFields } from './event-output.ts';
import { chosenEvents, hookFilters, movedField, tellsMoves, watchField } from './trigger-form.ts';

/** What a workflow waits for, which its hook asks the service for: what does not fit is never sent. */
export interface WantedEvents {
  readonly events: readonly EventType[];
  /** By the name of the filter the values of which the record has one. */
  readonly filters: Readonly<Record<string, readonly string[]>>;
  /** Of an update: the fields of which one must have changed; none for any. */
  readonly changedFields: readonly string[];
}

/** What was filled in, as the hook asks for it. */
export function wantedEvents(
  declaration: TriggerDeclaration,
  input: Readonly<Record<string, unknown>>,
): WantedEvents {
  const types = chosenEvents(declaration, input);
  const { filters } = bodyOf(hookFilters(declaration, input), input);
  const watched = chosen(input[watchField]);
  const fields = tellsMoves(declaration) ? watched.filter((name) => name !== movedField) : watched;
  const isWaitedFor = (type: EventType): boolean => {
    if (events[type].category === 'moved') return watched.includes(movedField);
    return !isUpdate(type) || fields.length > 0;
  };
  return {
    events: tellsMoves(declaration) && watched.length > 0 ? types.filter(isWaitedFor) : types,
    filters: valuesIn(filters),
    changedFields: fields,
  };
}

const valuesIn = (filters: unknown): Record<string, string[]> =>
  Object.fromEntries(
    Object.entries(isApiRecord(filters) ? filters : {}).map(([name, values]) => [
      name,
      [values].flat().map(String),
    ]),
  );

/** Whether an event is what a hook with these wishes is sent. */
export function isWanted(wanted: WantedEvents, type: EventType, envelope: ApiRecord): boolean {
  const { data } = envelope;
  const { filters, changedFields: watched } = wanted;
  const fits = ([name, values]: [string, readonly string[]]): boolean =>
    filteredValuesOf(type, name, Object(data)).some((value) => values.includes(value));
  const isWatched =
    watched.length === 0 ||
    !isUpdate(type) ||
    changedFields(envelope).some((field) => watched.includes(field));
  return wanted.events.includes(type) && isWatched && Object.entries(filters).every(fits);
}

/**
 * Whether an event tells of nothing that another one of the same trigger does not tell: a request that changes
 * fields of a lead and moves it makes an update and a move, and both hold the lead as it is then. The move is the
 * one that is run for.
 */
export function isToldByMove(
  declaration: TriggerDeclaration,
  { events: types }: WantedEvents,
  type: EventType,
  envelope: ApiRecord,
): boolean {
  const isMoveWanted = types.some((each) => events[each].category === 'moved');
  return (
    tellsMoves(declaration) && isMoveWanted && isUpdate(type) && changedFields(envelope).includes(movedField)
  );
}
