import { type TriggerDeclaration, triggers } from '@dealkeep/connectors';
import {
  countryCodes,
  currencyCodes,
  events,
  eventTypes,
  type ResourceName,
  resources,
} from '@dealkeep/contract';
import { isEventReached, keyOnly } from './oauth-reach.ts';
import { Identifier, type Option, sortedOptions } from './property.ts';
import { description, sentenceCase, titleCase } from './wording.ts';

/** The event catalog; names begin with the record's, so that sorting groups them. */
function eventChoices(): Option[] {
  const options = eventTypes.map((type) => {
    const text = description(events[type].description.en);
    return {
      name: titleCase(events[type].label.en),
      value: type,
      ...(text === undefined ? {} : { description: text }),
      ...(isEventReached(type) ? {} : { displayOptions: keyOnly }),
    };
  });
  return sortedOptions(options);
}

/**
 * Events that people choose together, the same as on other platforms: each change of a record starts the workflow
 * once.
 */
export const eventGroups: readonly TriggerDeclaration[] = triggers.filter(({ asOne }) => asOne);

/** The value of a choice that stands for several events: a workflow holds it, and the node takes it apart. */
export const groupValue = (group: TriggerDeclaration): string => group.events.join(',');

export const entityOf = ({ label, events: [first] }: TriggerDeclaration): ResourceName => {
  if (!first) throw new Error(`${label} has no events`);
  return events[first].entity;
};

/** What the triggers offer besides the single events. */
function eventGroupChoices(): Option[] {
  const groups = eventGroups.map((group): Option => {
    const text = description(sentenceCase(group.description.replace('Triggers when ', '')));
    return {
      name: titleCase(`${resources[entityOf(group)].label.en} Created or Updated`),
      value: groupValue(group),
      ...(text === undefined ? {} : { description: text }),
      ...(group.events.every(isEventReached) ? {} : { displayOptions: keyOnly }),
    };
  });
  const all = {
    name: 'All Events',
    value: '*',
    description: 'Everything that happens, as far as the credential may read all of it',
  };
  return [all, ...sortedOptions(groups)];
}

export const constantsPath = './constants.ts';

// Countries and currencies are named when the node is loaded: their codes are short, and the names are part of
// Node.js. Long lists that many parameters share stand once in the generated code.
export const countryOptions = new Identifier(
  'countryOptions',
  constantsPath,
  countryCodes.toSorted().join(' '),
);
export const currencyOptions = new Identifier(
  'currencyOptions',
  constantsPath,
  currencyCodes.toSorted().join(' '),
);
export const eventOptions = new Identifier('eventOptions', constantsPath, eventChoices());
export const eventGroupOptions = new Identifier('eventGroupOptions', constantsPath, eventGroupChoices());

/** The choices of a field that holds such codes. */
export const optionsOfCodes = { region: countryOptions, currency: currencyOptions };

/** How fields are mapped unless somebody chooses. */
export const mappingDefault = new Identifier('mappingDefault', constantsPath, {
  mappingMode: 'defineBelow',
  value: null,
});

const mapper = {
  resourceMapperMethod: 'getFields',
  mode: 'add',
  fieldWords: { singular: 'field', plural: 'fields' },
  supportAutoMap: true,
};

/** The mapper takes all columns of the input; one by one, fields are given in the form beside it, with dropdowns. */
export const mappingOptions = new Identifier('mappingOptions', constantsPath, {
  resourceMapper: { ...mapper, hideNoDataError: true },
});

/** The same, and one by one it asks for custom fields itself. */
export const customMappingOptions = new Identifier('customMappingOptions', constantsPath, {
  resourceMapper: {
    ...mapper,
    valuesLabel: 'Custom Fields',
    noFieldsError: 'The custom fields could not be loaded.',
    addAllFields: false,
  },
});

export const unknownColumnsOptions = new Identifier('unknownColumnsOptions', constantsPath, [
  { name: 'Stop With an Error', value: 'error', description: 'No field of the input is lost unnoticed' },
  { name: 'Ignore Them', value: 'ignore', description: 'Map the others' },
]);
