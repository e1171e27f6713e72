import {
  chosenEvents,
  eventsField,
  filtersOf,
  type TriggerDeclaration,
  watchChoices,
  watchField,
} from '@dealkeep/connectors';
import { events } from '@dealkeep/contract';
import type { Bundle, PlainInputField, ZObject } from 'zapier-platform-core';
import { type FormFields, formPart } from '../forms/form-part.ts';
import { inputField } from '../forms/input-field.ts';

type Input = Readonly<Record<string, unknown>>;

/**
 * What a trigger asks for: which events, which fields of an updated record, which records. Where events are chosen,
 * the rest follows the choice.
 */
export function triggerInputFields(declaration: TriggerDeclaration): FormFields {
  if (!declaration.choose) return narrowingFields(declaration, {});
  return [
    eventChoice(declaration),
    formPart(
      (_: ZObject, bundle: Bundle) => narrowingFields(declaration, bundle.inputData),
      fieldsOfEach(declaration),
    ),
  ];
}

/** What the events of a choice ask for one by one. */
function fieldsOfEach(declaration: TriggerDeclaration): PlainInputField[] {
  const each = chosenEvents(declaration, {}).map((type) =>
    narrowingFields(declaration, { [eventsField]: [type] }),
  );
  return [...new Map(each.flat().map((field) => [field.key, field])).values()];
}

function narrowingFields(declaration: TriggerDeclaration, input: Input): PlainInputField[] {
  const watched = watchChoices(declaration, input);
  return [
    ...(Object.keys(watched).length > 0 ? [fieldsToWatch(watched)] : []),
    ...filtersOf(declaration, input).map((field) => inputField(field)),
  ];
}

function eventChoice(declaration: TriggerDeclaration): PlainInputField {
  return {
    key: eventsField,
    label: declaration.choiceLabel ?? 'Events',
    type: 'string',
    list: true,
    altersDynamicFields: true,
    required: declaration.choose === 'some',
    choices: Object.fromEntries(declaration.events.map((type) => [type, events[type].label.en])),
    helpText:
      declaration.choose === 'some'
        ? 'The Zap runs for each of them.'
        : 'The Zap runs for each of them; without a choice, for all.',
  };
}

function fieldsToWatch(choices: Readonly<Record<string, string>>): PlainInputField {
  return {
    key: watchField,
    label: 'Fields to Watch',
    type: 'string',
    list: true,
    required: false,
    choices: { ...choices },
    helpText: 'The Zap runs only when one of these fields was changed; without a choice, when any was.',
  };
}
