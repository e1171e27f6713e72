import { dataSchemaOf, type EventType, events, filtersOfEvent, watchableFields } from './events.ts';
import { type FieldFacts, fieldsOf } from './field-facts.ts';
import type { OperationDeclaration } from './operation.ts';
import { operations } from './operations.ts';

/**
 * What an event can be filtered by, each as the list of its records is filtered by it: with its label and what it is
 * chosen from.
 */
export function filterFieldsOf(type: EventType): readonly FieldFacts[] {
  const { entity } = events[type];
  const list = Object.values<OperationDeclaration>(operations).find(
    ({ resource, kind }) => resource === entity && kind === 'list',
  );
  return list?.query
    ? fieldsOf(list.query).filter(({ name }) => Object.hasOwn(filtersOfEvent(type), name))
    : [];
}

/** The fields whose change an event tells of, as its record has them; none where it is no `x.updated`. */
export function watchableFieldsOf(type: EventType): readonly FieldFacts[] {
  const names = watchableFields(type);
  return fieldsOf(dataSchemaOf(type)).filter(({ name }) => names.includes(name));
}
