import { type EventDeclaration, type EventType, events, filtersOfEvent } from '@dealkeep/contract';
import type { FormField } from '../forms/form-field.ts';
import { filterFields, operationOn } from '../registry.ts';

/**
 * What all of these events can be filtered by, as fields in which several values are chosen, in the order in which
 * the first event is filtered. What the events decide by themselves is none of it: a lead that was won is always
 * won.
 */
export function filtersOfEvents(types: readonly EventType[]): FormField[] {
  const [first] = types;
  if (first === undefined) return [];
  return Object.keys(filtersOfEvent(first))
    .filter(
      (name) => types.every((type) => hasFilter(type, name)) && !types.every((type) => decides(type, name)),
    )
    .flatMap((name) => sharedFilter(types, name));
}

/** The field of a filter, as the events of one kind of record have it. */
export function filterOfEvent(type: EventType, name: string): FormField {
  const { entity } = events[type];
  const list = operationOn(entity, 'list');
  const field = list && filterFields(list).find(({ key }) => key === name);
  if (!field) throw new Error(`The list of each ${entity} has no filter "${name}".`);
  return {
    ...field,
    help: 'Triggers for these only; without a choice, for all.',
    list: true,
    required: false,
  };
}

export const hasFilter = (type: EventType, name: string): boolean =>
  Object.hasOwn(filtersOfEvent(type), name);

function decides(type: EventType, name: string): boolean {
  const { leaves = {} }: EventDeclaration = events[type];
  return Object.hasOwn(leaves, name);
}

/**
 * None where events of different records mean different things by it: a stage of a pipeline is none of a project.
 */
function sharedFilter(types: readonly EventType[], name: string): FormField[] {
  const firsts = types.filter(
    (type, index) => types.findIndex((other) => events[other].entity === events[type].entity) === index,
  );
  const fields = firsts.map((type) => filterOfEvent(type, name));
  const [first] = fields;
  if (!first || fields.some(({ reference }) => reference !== first.reference)) return [];
  const choices = first.choices && Object.assign({}, ...fields.map((field) => field.choices));
  return [{ ...first, choices }];
}
