import { type InputPropertyMap, Property } from '@activepieces/pieces-framework';
import {
  chosen,
  eventsField,
  filtersOf,
  type TriggerDeclaration,
  watchChoices,
  watchField,
} from '@dealkeep/connectors';
import { events } from '@dealkeep/contract';
import { dealkeepAuth } from '../auth.ts';
import { withChoices } from '../properties/choices.ts';
import { opened } from '../properties/input.ts';
import { plainProperty } from '../properties/plain-property.ts';
import { propertiesOf } from '../properties/property-of.ts';
import { apiOf } from '../requests/api.ts';

/** Holds the watched fields and the filters of a trigger that has those of the events that are chosen. */
const filtersField = 'filters';

/** What was filled in, by the keys of the form. */
export const triggerInput = (propsValue: Readonly<Record<string, unknown>>): Record<string, unknown> =>
  opened(propsValue, [filtersField]);

/** What a trigger asks for: which events, which fields of an updated record, which records. */
export function triggerProperties(declaration: TriggerDeclaration): InputPropertyMap {
  return {
    ...(declaration.choose ? { [eventsField]: eventChoice(declaration) } : {}),
    ...(declaration.choose === 'some'
      ? { [filtersField]: narrowingOfChosen(declaration) }
      : { ...fieldsToWatch(watchChoices(declaration)), ...propertiesOf(filtersOf(declaration)) }),
  };
}

const eventChoice = ({ choose, choiceLabel = 'Events', events: types }: TriggerDeclaration) =>
  Property.StaticMultiSelectDropdown({
    displayName: choiceLabel,
    description:
      choose === 'some'
        ? 'The flow runs for each of them.'
        : 'The flow runs for each of them; without a choice, for all.',
    required: choose === 'some',
    options: { options: types.map((type) => ({ label: events[type].label.en, value: type })) },
  });

function fieldsToWatch(choices: Readonly<Record<string, string>>): InputPropertyMap {
  if (Object.keys(choices).length === 0) return {};
  return {
    [watchField]: Property.StaticMultiSelectDropdown({
      displayName: 'Fields to Watch',
      description: 'The flow runs only when one of these fields was changed; without a choice, when any was.',
      required: false,
      options: { options: Object.entries(choices).map(([value, label]) => ({ label, value })) },
    }),
  };
}

/** Chosen events have in common what is offered here, so it is found out once they are chosen. */
const narrowingOfChosen = (declaration: TriggerDeclaration) =>
  Property.DynamicProperties({
    auth: dealkeepAuth,
    displayName: 'Filters',
    required: false,
    refreshers: [eventsField],
    props: async ({ auth, [eventsField]: types }) => {
      if (!auth || chosen(types).length === 0) return {};
      const api = apiOf(auth.props);
      const input = { [eventsField]: types };
      const known = await Promise.all(filtersOf(declaration, input).map((field) => withChoices(api, field)));
      return {
        ...fieldsToWatch(watchChoices(declaration, input)),
        ...Object.fromEntries(known.map((field) => [field.key, plainProperty(field)])),
      };
    },
  });
