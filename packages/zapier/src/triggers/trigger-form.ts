import {
  dataSchemaOf,
  descriptionOf,
  type EventType,
  events,
  filtersOfEvent,
  isEventType,
  isUpdate,
  watchableFields,
} from '@dealkeep/contract';
import type { PlainInputField } from 'zapier-platform-core';
import type * as z from 'zod';
import { chosen } from '../forms/chosen.ts';
import type { FormField } from '../forms/form-field.ts';
import { inputField } from '../forms/input-field.ts';
import { filterFields, operationOn } from '../registry.ts';
import type { TriggerDeclaration } from './catalog.ts';

export const watchField = 'fields_to_watch';
export const eventsField = 'events';

/** What a trigger asks for: which events, which fields of an updated record, which records. */
export function triggerInputFields(declaration: TriggerDeclaration): PlainInputField[] {
  const [first] = declaration.events;
  return [
    ...(declaration.choose ? [eventChoice(declaration)] : []),
    ...(!declaration.choose && first !== undefined && isUpdate(first) ? [fieldsToWatch(first)] : []),
    ...filtersOf(declaration).map((field) => inputField(field)),
  ];
}

/** The filters of a trigger as fields of a form. Throws when the record's list has none of that name. */
export function filtersOf(declaration: TriggerDeclaration): FormField[] {
  const [first] = declaration.events;
  if (first === undefined || !declaration.filtered) return [];
  const list = operationOn(events[first].entity, 'list');
  const offered = list ? filterFields(list) : [];
  return Object.keys(filtersOfEvent(first)).map((name) => {
    const field = offered.find(({ key }) => key === name);
    if (!field) throw new Error(`The list of ${first} has no filter "${name}".`);
    return {
      ...field,
      help: 'The Zap runs only for this one; without a choice, for every one.',
      required: false,
    };
  });
}

function eventChoice(declaration: TriggerDeclaration): PlainInputField {
  return {
    key: eventsField,
    label: declaration.choiceLabel ?? 'Events',
    type: 'string',
    list: true,
    required: declaration.choose === 'some',
    choices: Object.fromEntries(declaration.events.map((type) => [type, events[type].label.en])),
    helpText:
      declaration.choose === 'some'
        ? 'The Zap runs for each of them.'
        : 'The Zap runs for each of them; without a choice, for all.',
  };
}

function fieldsToWatch(type: EventType): PlainInputField {
  const { shape } = dataSchemaOf(type);
  return {
    key: watchField,
    label: 'Fields to Watch',
    type: 'string',
    list: true,
    required: false,
    choices: Object.fromEntries(watchableFields(type).map((name) => [name, labelOf(shape[name], name)])),
    helpText: 'The Zap runs only when one of these fields was changed; without a choice, when any was.',
  };
}

const labelOf = (schema: z.core.$ZodType | undefined, name: string): string =>
  (schema && descriptionOf(schema)?.label.en) ?? name;

/** The events that a Zap is for: all of its trigger where none is chosen. Those that this version does not know are left out. */
export function chosenEvents(declaration: TriggerDeclaration, input: Record<string, unknown>): EventType[] {
  if (!declaration.choose) return [...declaration.events];
  const asked = chosen(input[eventsField]);
  return asked.length > 0 ? asked.filter(isEventType) : [...declaration.events];
}
