import {
  type EventType,
  events,
  eventTypes,
  type FieldFacts,
  filterFieldsOf,
  resources,
} from '@dealkeep/contract';
import type { TriggerFilter } from '../../nodes/shared/tables.ts';
import { type ChoicesRegistry, choicesMethod } from './choices.ts';
import { Call, type DisplayOptions, type Option, type Property, sortedOptions } from './property.ts';
import { camelCase, dynamicMultiOptions, titleCase } from './wording.ts';

/** A filter of the API as one dropdown: several events have it, and choose from the same. */
export interface OfferedFilter {
  readonly parameter: string;
  readonly label: string;
  readonly field: FieldFacts;
  readonly types: EventType[];
}

/** The statuses of a lead are not those of an order, so a filter of the API can be several dropdowns. */
export function offeredFilters(): OfferedFilter[] {
  const found = new Map<string, { field: FieldFacts; types: EventType[] }>();
  for (const type of eventTypes) {
    for (const field of filterFieldsOf(type)) {
      const choices = JSON.stringify([field.name, field.reference, field.values]);
      const same = found.get(choices) ?? { field, types: [] };
      same.types.push(type);
      found.set(choices, same);
    }
  }
  const all = [...found.values()];
  return all.map(({ field, types }) => {
    const [first] = types;
    if (!first) throw new Error('Unreachable: each was found by an event');
    const isOne = all.filter((other) => other.field.name === field.name).length === 1;
    const of = resources[events[first].entity].label.en;
    const name = titleCase(field.description?.label.en ?? field.name);
    return {
      // Stages are told apart by what they are stages of, statuses by what has them.
      parameter: camelCase(
        isOne
          ? field.name
          : field.reference
            ? `${field.reference}_id`
            : `${events[first].entity}_${field.name}`,
      ),
      label: isOne || field.reference ? name : titleCase(`${of} ${name}`),
      field,
      types,
    };
  });
}

/**
 * Choices of "Events" that are about these events, with the groups that hold one of them: named by their records.
 */
export function choicesAbout(types: readonly EventType[]): Call {
  const entities = new Set(types.map((type) => events[type].entity));
  const all = eventTypes.filter((type) => entities.has(events[type].entity));
  if (all.length !== types.length) throw new Error(`Not all events of ${[...entities].join(', ')} are meant`);
  return new Call('eventsOf', [...new Set(types.map((type) => type.slice(0, type.indexOf('.'))))]);
}

/** The dropdown of several values that a filter is chosen in. */
export function filterProperty(
  { parameter, label, field }: OfferedFilter,
  displayOptions: DisplayOptions,
  registry: ChoicesRegistry,
): Property {
  const load = loadMethod(field, registry);
  const dependsOn = field.description?.dependsOn;
  const common = {
    name: parameter,
    type: 'multiOptions',
    default: [],
    displayOptions,
  };
  if (load === undefined) return { displayName: label, ...common, options: choicesOf(field) };
  return {
    displayName: `${label} Names or IDs`,
    ...common,
    typeOptions: {
      loadOptionsMethod: load,
      ...(dependsOn === undefined ? {} : { loadOptionsDependsOn: [`&${camelCase(dependsOn)}`] }),
    },
    description: dynamicMultiOptions,
  };
}

/** The method that fills the dropdown; undefined where the contract names the values. */
function loadMethod({ reference, description }: FieldFacts, registry: ChoicesRegistry): string | undefined {
  if (reference) return choicesMethod(registry, { reference, dependsOn: description?.dependsOn, load: true });
  const named = description?.nameOf;
  return named && choicesMethod(registry, { resource: named, value: 'name', load: true });
}

const choicesOf = ({ values, description }: FieldFacts): Option[] =>
  sortedOptions(
    values.map((value) => ({ name: titleCase(description?.choices?.[value]?.en ?? value), value })),
  );

/** Which parameter is which filter of the API, and what shows its choices. */
export const filterTable = (): Record<string, TriggerFilter> =>
  Object.fromEntries(
    offeredFilters().map(({ parameter, label, field }) => {
      const load = loadMethod(field, new Map());
      return [parameter, { filter: field.name, label, ...(load === undefined ? {} : { load }) }];
    }),
  );
