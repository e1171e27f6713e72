import { watchChoices } from '@dealkeep/connectors';
import {
  type EventType,
  events,
  eventTypes,
  filtersOfEvent,
  isUpdate,
  type ResourceName,
  resources,
  watchableFields,
} from '@dealkeep/contract';
import type { EventTable } from '../../nodes/shared/tables.ts';
import type { ChoicesRegistry } from './choices.ts';
import { constantsPath, entityOf, eventGroups, groupValue } from './constants.ts';
import { choicesAbout, filterProperty, offeredFilters } from './event-filters.ts';
import { isEventReached } from './oauth-reach.ts';
import { Identifier, type Property, sortedProperties } from './property.ts';
import { fieldOptions } from './record-fields.ts';
import { camelCase, titleCase } from './wording.ts';

/** The parameters of both triggers that follow from the event catalog. */
export function triggerProperties(registry: ChoicesRegistry): Property[] {
  return [
    {
      displayName: 'Events',
      name: 'events',
      type: 'multiOptions',
      required: true,
      default: [],
      options: triggerEventOptions,
      description: 'The events that start the workflow',
    },
    {
      displayName: 'Filters',
      name: 'filters',
      type: 'collection',
      placeholder: 'Add Filter',
      default: {},
      displayOptions: {
        show: {
          events: choicesAbout(eventTypes.filter((type) => Object.keys(filtersOfEvent(type)).length > 0)),
        },
        hide: { events: ['*'] },
      },
      description:
        'Only events whose record has one of the values of each filter start the workflow. Every chosen event must have what is filtered by.',
      options: sortedProperties(
        offeredFilters().map((each) =>
          filterProperty(each, { show: { '/events': choicesAbout(each.types) } }, registry),
        ),
      ),
    },
    ...entities().flatMap(watchProperties),
  ];
}

/** The constant is written by hand among the generated ones: the catalog and its groups in one list. */
const triggerEventOptions = new Identifier('triggerEventOptions', constantsPath, undefined);

const entities = (): ResourceName[] => [...new Set(eventTypes.map((type) => events[type].entity))];

/**
 * Choices of "Events" with which a parameter is shown that is about these events: they, and groups with one of them.
 */
const shownFor = (types: readonly EventType[]): string[] => [
  ...types,
  ...eventGroups.filter((group) => group.events.some((type) => types.includes(type))).map(groupValue),
];

const updatesOf = (entity: ResourceName): EventType[] =>
  eventTypes.filter((type) => events[type].entity === entity && isUpdate(type));

/** The parameter that holds the watched fields of a resource. */
const watchParameter = (entity: ResourceName): string => camelCase(`${entity}_fields_to_watch`);

function watchProperties(entity: ResourceName): Property[] {
  const updated = updatesOf(entity);
  if (updated.length === 0) return [];
  const label = titleCase(resources[entity].label.en);
  const single = updated.flatMap(watchableFields);
  const groups = eventGroups.filter((group) => entityOf(group) === entity);
  const together = groups.flatMap((group) => Object.keys(watchChoices(group)));
  return [
    {
      displayName: `${label} Fields to Watch`,
      name: watchParameter(entity),
      type: 'multiOptions',
      default: [],
      displayOptions: { show: { events: shownFor(updated) }, hide: { events: ['*'] } },
      options: fieldOptions(resources[entity].schema)
        .filter(({ value }) => [...single, ...together].includes(value))
        .map((option) =>
          single.includes(option.value)
            ? option
            : { ...option, displayOptions: { show: { '/events': groups.map(groupValue) } } },
        ),
      description:
        'Start the workflow on an update only when one of these fields has changed. A new record always starts it. Leave empty for any change.',
    },
  ];
}

/** Of a move that people choose as one with an update: the field that can be watched there, and only there. */
function movedField(type: EventType): string | undefined {
  const group = eventGroups.find((each) => each.events.includes(type));
  if (!group || events[type].category !== 'moved') return undefined;
  const single = group.events.filter(isUpdate).flatMap(watchableFields);
  const [field, ...others] = Object.keys(watchChoices(group)).filter((name) => !single.includes(name));
  if (field === undefined || others.length > 0) throw new Error(`${type} is told by no field, or by several`);
  return field;
}

/** What the running triggers know of each event. */
export const eventTable = (): Record<string, EventTable> =>
  Object.fromEntries(
    eventTypes.map((type) => {
      const moves = movedField(type);
      return [
        type,
        {
          ...(isUpdate(type) ? { watch: watchParameter(events[type].entity) } : {}),
          ...(moves === undefined ? {} : { moves }),
          ...(isEventReached(type) ? {} : { keyOnly: true as const }),
          ...(Object.keys(filtersOfEvent(type)).length === 0 ? {} : { filters: filtersOfEvent(type) }),
        },
      ];
    }),
  );
