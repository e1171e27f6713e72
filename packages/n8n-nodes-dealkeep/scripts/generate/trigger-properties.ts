import {
  type EventType,
  events,
  eventTypes,
  isUpdate,
  type OperationDeclaration,
  operations,
  type ResourceName,
  resources,
  watchableFields,
} from '@dealkeep/contract';
import type { CatchUp, EventTable } from '../../nodes/shared/tables.ts';
import { choicesMethod, locatorModes } from './choices.ts';
import { eventOptions } from './constants.ts';
import { type ChoicesRegistry, locator } from './fields.ts';
import { triggerFilters } from './grouping.ts';
import type { Property } from './property.ts';
import { fieldOptions } from './record-fields.ts';
import { camelCase, titleCase } from './wording.ts';

/** The trigger's parameters that follow from the event catalog. */
export function triggerProperties(registry: ChoicesRegistry): Property[] {
  return [
    {
      displayName: 'Events',
      name: 'events',
      type: 'multiOptions',
      required: true,
      default: [],
      options: eventOptions,
      description: 'The events that start the workflow',
    },
    ...entities().flatMap((entity) => [...filterProperties(entity, registry), ...watchProperties(entity)]),
  ];
}

const entities = (): ResourceName[] => [...new Set(eventTypes.map((type) => events[type].entity))];

/** The events of a resource, or its updated events only. */
const eventsOf = (entity: ResourceName, updatedOnly: boolean): string[] =>
  eventTypes.filter((type) => events[type].entity === entity && (!updatedOnly || isUpdate(type)));

/** The parameter that holds the filters of a resource. */
export const filtersParameter = (entity: ResourceName): string => camelCase(`${entity}_filters`);

/** The parameter that holds the watched fields of a resource. */
export const watchParameter = (entity: ResourceName): string => camelCase(`${entity}_fields_to_watch`);

function filterProperties(entity: ResourceName, registry: ChoicesRegistry): Property[] {
  const filters = triggerFilters[entity];
  if (!filters) return [];
  const label = resources[entity].label.en;
  return [
    {
      displayName: `${titleCase(label)} Filters`,
      name: filtersParameter(entity),
      type: 'collection',
      placeholder: 'Add Filter',
      default: {},
      displayOptions: { show: { events: eventsOf(entity, false) } },
      description: `Start the workflow only for records that fit`,
      options: filters.map(({ field, reference, dependsOn }): Property => {
        const method = choicesMethod(registry, { reference, dependsOn });
        const name = titleCase(field.replace(/_id$/, '').replaceAll('_', ' '));
        return {
          displayName: name,
          name: camelCase(field),
          ...locator(locatorModes(method, { by: 'id' }), undefined),
          ...(dependsOn === undefined
            ? {}
            : { typeOptions: { loadOptionsDependsOn: [`&${camelCase(dependsOn)}.value`] } }),
        };
      }),
    },
  ];
}

function watchProperties(entity: ResourceName): Property[] {
  const updated = eventsOf(entity, true);
  if (updated.length === 0) return [];
  const label = titleCase(resources[entity].label.en);
  const watchable = eventTypes.filter((type) => events[type].entity === entity).flatMap(watchableFields);
  const options = fieldOptions(resources[entity].schema).filter(({ value }) => watchable.includes(value));
  return [
    {
      displayName: `${label} Fields to Watch`,
      name: watchParameter(entity),
      type: 'multiOptions',
      default: [],
      displayOptions: { show: { events: updated } },
      options,
      description: `Start the workflow on an update only when one of these fields has changed. Leave empty for any change.`,
    },
  ];
}

/** What the running trigger knows of each event. */
export const eventTable = (): Record<string, EventTable> =>
  Object.fromEntries(
    eventTypes.map((type) => {
      const catchUp = catchUpOf(type);
      return [
        type,
        {
          entity: camelCase(events[type].entity),
          updated: isUpdate(type),
          ...(catchUp ? { catchUp } : {}),
        },
      ];
    }),
  );

/** Only that a record was created or updated can be seen in a list afterwards, and only of records that are listed. */
function catchUpOf(type: EventType): CatchUp | undefined {
  const { entity } = events[type];
  const since = { [`${entity}.created`]: 'created_after', [`${entity}.updated`]: 'updated_since' }[type];
  const of = Object.values<OperationDeclaration>(operations).filter(({ resource }) => resource === entity);
  const list = of.find(({ kind }) => kind === 'list');
  const get = of.find(({ kind }) => kind === 'get');
  if (since === undefined || !get?.answer || !list?.query || !(since in list.query.shape)) return undefined;
  return {
    since,
    list: list.path,
    // Events carry a record as its GET answers it, which is more than its list shows of some.
    ...(list.answer === get.answer ? {} : { get: get.path }),
    id: get.path.includes('{uuid}') ? 'uuid' : 'id',
  };
}

/** Which parameters of the trigger filter the records of a resource, and by what. */
export const filterTable = (): Record<
  string,
  { filters?: string; ids: Record<string, string>; watch?: string }
> =>
  Object.fromEntries(
    entities().map((entity) => [
      camelCase(entity),
      {
        ...(triggerFilters[entity] ? { filters: filtersParameter(entity) } : {}),
        ids: Object.fromEntries(
          (triggerFilters[entity] ?? []).map(({ field, path }) => [camelCase(field), path]),
        ),
        ...(eventsOf(entity, true).length > 0 ? { watch: watchParameter(entity) } : {}),
      },
    ]),
  );
