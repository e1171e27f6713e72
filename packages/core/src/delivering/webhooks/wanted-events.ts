import {
  asciiLowerCase,
  checkValue,
  type EventType,
  type FieldProblem,
  filterSchemaOf,
  isEventType,
  isUpdate,
  watchableFields,
} from '@dealkeep/contract';
import { conditionOf } from '../../change/events/event-facts.ts';
import type { ValidPart } from '../../change/verb/check-input.ts';
import { invalidFields, Problem } from '../../foundations/problem.ts';

/** The event types that a list of `events` names. Raises VALIDATION_ERROR (none, or one twice) or UNKNOWN_EVENT. */
export function eventTypesOf(asked: readonly string[]): EventType[] {
  requireKnownEvents(eventProblems(asked), asked);
  return asked.filter(isEventType);
}

/** The event type that a field `event` names. Raises UNKNOWN_EVENT. */
export function eventTypeOf(asked: string): EventType {
  requireKnownEvents(aboutEvent(eventProblems([asked])), [asked]);
  const [type] = [asked].filter(isEventType);
  if (!type) throw new Error('Unreachable: it was looked up');
  return type;
}

/** Problems of a list of one event, told of a field `event`. */
export const aboutEvent = (problems: readonly FieldProblem[]): FieldProblem[] =>
  problems.map((each) => ({ ...each, path: 'event' }));

const unknownEvent = 'webhook.unknown_event';

/** Raises what is wrong with events: UNKNOWN_EVENT where that is all. */
export function requireKnownEvents(
  problems: readonly FieldProblem[],
  asked: readonly (string | undefined)[],
): void {
  const [problem] = problems;
  if (problem?.key !== unknownEvent || problems.length > 1) {
    if (problem) throw invalidFields(problems);
    return;
  }
  const event = asked.find((type) => type !== undefined && !isEventType(type));
  throw new Problem(unknownEvent, problem.values, { detail: { event }, about: problem.path });
}

/** What is wrong with a list of `events`, of which some may be refused already; what is unknown is told as one. */
export function eventProblems(asked: readonly (string | undefined)[]): FieldProblem[] {
  if (asked.length === 0) return [{ path: 'events', key: 'field.too_few', values: { min: 1 } }];
  const met = new Set<string>();
  const unknown = new Map<string, string>();
  const repeated: FieldProblem[] = [];
  for (const [index, type] of asked.entries()) {
    if (type === undefined) continue;
    const path = `events[${index}]`;
    if (met.has(type)) repeated.push({ path, key: 'field.duplicate' });
    else if (!isEventType(type)) unknown.set(type, path);
    met.add(type);
  }
  const [path] = unknown.values();
  const names = [...unknown.keys()].slice(0, namedEventTypes).join('", "');
  return [...(path ? [{ path, key: unknownEvent, values: { event: names } } as const] : []), ...repeated];
}

const namedEventTypes = 20;

/** What somebody asks of the events that a webhook is told. Null and absent ask for nothing. */
export interface WantedEvents {
  readonly filters?: Readonly<Record<string, readonly string[]>> | null | undefined;
  readonly changed_fields?: readonly string[] | null | undefined;
}

type Values = readonly (string | undefined)[] | undefined;

/** What is wrong with it for these events: each of them must have each field. */
export function wantedProblems(
  events: readonly (string | undefined)[],
  { filters, changed_fields: watched }: ValidPart<WantedEvents>,
): FieldProblem[] {
  const types = events.filter((type) => type !== undefined).filter(isEventType);
  // Without an event that there is, nothing can be said of the fields that it would have.
  if (types.length === 0) return [];
  const named: [string, Values][] = Object.entries(filters ?? {});
  return [
    ...named.flatMap(([name, values]) => filterProblems(types, name, values ?? [])),
    ...(watched ? watchedProblems(types, watched) : []),
  ];
}

function filterProblems(
  types: readonly EventType[],
  name: string,
  values: NonNullable<Values>,
): FieldProblem[] {
  const path = `filters.${name}`;
  const schemas = types.map((type) => filterSchemaOf(type, name));
  const lacking = types[schemas.indexOf(undefined)];
  if (lacking) return [{ path, key: 'field.not_of_event', values: { event: lacking, field: name } }];
  return values.flatMap((value, index): FieldProblem[] => {
    if (value === undefined) return [];
    // What one of the events can have may be waited for; the others do not come with it.
    const found = schemas.map((schema) => (schema ? (checkValue(schema, value).problems ?? []) : []));
    return found.some((problems) => problems.length === 0)
      ? []
      : (found[0] ?? []).map((each) => ({ ...each, path: `${path}[${index}]` }));
  });
}

function watchedProblems(types: readonly EventType[], watched: NonNullable<Values>): FieldProblem[] {
  const updates = types.filter(isUpdate);
  if (updates.length === 0) return [{ path: 'changed_fields', key: 'field.needs_updated_event' }];
  return watched.flatMap((field, index): FieldProblem[] => {
    if (field === undefined) return [];
    const event = updates.find((type) => !watchableFields(type).includes(field));
    return event
      ? [{ path: `changed_fields[${index}]`, key: 'field.not_watchable', values: { event, field } }]
      : [];
  });
}

/** The columns of a webhook that say what it wants. */
export interface WantedColumns {
  readonly filters: Record<string, string[]> | null;
  readonly changed_fields: string[] | null;
  /** What decides. */
  readonly condition: string | null;
}

export function wantedColumns({ filters, changed_fields: watched }: WantedEvents): WantedColumns {
  const entries = Object.entries(filters ?? {}).map(
    ([name, values]) =>
      [name, [...new Set(values.map((value) => meantBy(name, value)))]] satisfies [string, string[]],
  );
  const kept: Record<string, string[]> | null = entries.length > 0 ? Object.fromEntries(entries) : null;
  const fields = watched ? [...new Set(watched)] : null;
  return { filters: kept, changed_fields: fields, condition: conditionOf(kept, fields) };
}

/** Ids are the same in either case. */
const meantBy = (name: string, value: string): string =>
  name.endsWith('_id') ? asciiLowerCase(value) : value;
