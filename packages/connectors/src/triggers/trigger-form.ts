import {
  dataSchemaOf,
  descriptionOf,
  type EventFilter,
  type EventType,
  eventFilters,
  events,
  eventTypes,
  isEventType,
  isUpdate,
  watchableFields,
} from '@dealkeep/contract';
import type { TriggerDeclaration } from '../catalog/triggers.ts';
import { chosen } from '../forms/chosen.ts';
import type { FormField } from '../forms/form-field.ts';
import { filterOfEvent, filtersOfEvents, hasFilter } from './event-filters.ts';

export const watchField = 'fields_to_watch';
export const eventsField = 'events';

type Input = Readonly<Record<string, unknown>>;

/**
 * The events that a workflow is for: all of its trigger where none is chosen. Those that this version does not know
 * are left out.
 */
export function chosenEvents(declaration: TriggerDeclaration, input: Input): EventType[] {
  if (!declaration.choose) return [...declaration.events];
  const asked = chosen(input[eventsField]);
  return asked.length > 0 ? asked.filter(isEventType) : [...declaration.events];
}

/** What is asked for follows the choice of events: none where one must be chosen and is not yet. */
const narrowedEvents = (declaration: TriggerDeclaration, input: Input): EventType[] =>
  declaration.choose === 'some' && chosen(input[eventsField]).length === 0
    ? []
    : chosenEvents(declaration, input);

/**
 * What a trigger can be narrowed to: the filters that all of its events have, of a trigger whose events are chosen
 * those of the chosen ones.
 */
export const filtersOf = (declaration: TriggerDeclaration, input: Input = {}): FormField[] =>
  filtersOfEvents(narrowedEvents(declaration, input)).filter(({ key }) => key !== declaration.choiceOf);

/** The field of a record that tells of a move: who waits for its change waits for the event of the move. */
export const movedField = 'stage';

/** Whether a move is one more change to whoever uses the trigger, and not an event of its own. */
export const tellsMoves = ({ asOne, events: types }: TriggerDeclaration): boolean =>
  asOne === true && types.some((type) => events[type].category === 'moved');

/**
 * The fields of a record that can be watched, each with its label: those of which every update among the events
 * tells. None where there is no update.
 */
export function watchChoices(declaration: TriggerDeclaration, input: Input = {}): Record<string, string> {
  const [first, ...others] = narrowedEvents(declaration, input).filter(isUpdate);
  if (first === undefined) return {};
  const names = watchableFields(first).filter((name) =>
    others.every((type) => watchableFields(type).includes(name)),
  );
  const watched = tellsMoves(declaration) ? [...names, movedField] : names;
  return Object.fromEntries(watched.map((name) => [name, labelIn(first, name)]));
}

function labelIn(type: EventType, name: string): string {
  const schema = dataSchemaOf(type).shape[name];
  return (schema && descriptionOf(schema)?.label.en) ?? name;
}

/**
 * The filters of a trigger as its hook takes them. One that was filled in and that not all chosen events have is
 * among them: it is refused with its name, and not left out in silence.
 */
export function hookFilters(declaration: TriggerDeclaration, input: Input): FormField[] {
  const offered = filtersOf(declaration, input);
  const stale = eventFilters.filter(
    (name) => chosen(input[name]).length > 0 && offered.every(({ key }) => key !== name),
  );
  return [...offered, ...stale.flatMap(filterOfAny)].map((field) => ({
    ...field,
    path: ['filters', ...field.path],
  }));
}

function filterOfAny(name: EventFilter): FormField[] {
  const type = eventTypes.find((each) => hasFilter(each, name));
  return type ? [filterOfEvent(type, name)] : [];
}
