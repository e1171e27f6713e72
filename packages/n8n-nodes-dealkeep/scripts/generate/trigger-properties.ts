import {
  descriptionOf,
  type EventCategory,
  type EventType,
  events,
  eventTypes,
  filtersOfEvent,
  isUpdate,
  type OperationDeclaration,
  operations,
  type ResourceName,
  resources,
  watchableFields,
} from '@dealkeep/contract';
import type { CatchUp, EntityFilters, EventTable } from '../../nodes/shared/tables.ts';
import { choicesMethod, locatorModes } from './choices.ts';
import { eventOptions } from './constants.ts';
import { type ChoicesRegistry, locator } from './fields.ts';
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

/** A filter of the records of a resource: the list's filter of that name, and where an event's data holds the value. */
interface TriggerFilter {
  readonly field: string;
  readonly path: string;
}

/** By what some event of a resource can be filtered. */
function filtersOf(entity: ResourceName): TriggerFilter[] {
  const ofEvents = eventTypes.filter((type) => events[type].entity === entity).map(filtersOfEvent);
  return Object.entries(Object.assign({}, ...ofEvents)).map(([field, path]) => ({
    field,
    path: String(path),
  }));
}

function filterProperties(entity: ResourceName, registry: ChoicesRegistry): Property[] {
  const filters = filtersOf(entity);
  if (filters.length === 0) return [];
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
      options: filters.map(({ field }) => filterProperty(entity, field, registry)),
    },
  ];
}

function filterProperty(entity: ResourceName, field: string, registry: ChoicesRegistry): Property {
  const schema = listOf(entity)?.query?.shape[field];
  const { reference, dependsOn } = (schema && descriptionOf(schema)) ?? {};
  if (!reference) throw new Error(`Events of a ${entity} can be filtered by ${field}, which its list cannot`);
  const method = choicesMethod(registry, { reference, dependsOn });
  return {
    displayName: titleCase(field.replace(/_id$/, '').replaceAll('_', ' ')),
    name: camelCase(field),
    ...locator(locatorModes(method, { by: 'id' }), undefined),
    ...(dependsOn === undefined
      ? {}
      : { typeOptions: { loadOptionsDependsOn: [`&${camelCase(dependsOn)}.value`] } }),
  };
}

const operationsOn = (entity: ResourceName): OperationDeclaration[] =>
  Object.values<OperationDeclaration>(operations).filter(({ resource }) => resource === entity);

const listOf = (entity: ResourceName): OperationDeclaration | undefined =>
  operationsOn(entity).find(({ kind }) => kind === 'list');

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

/** The filter of lists that shows afterwards what happened. */
const shownBy: Partial<Record<EventCategory, string>> = {
  created: 'created_after',
  updated: 'updated_since',
};

/** Only that a record was created or updated can be seen in a list afterwards, and only of records that are listed. */
function catchUpOf(type: EventType): CatchUp | undefined {
  const { entity, category } = events[type];
  const since = shownBy[category];
  const list = listOf(entity);
  const get = operationsOn(entity).find(({ kind }) => kind === 'get');
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
export const filterTable = (): Record<string, EntityFilters> =>
  Object.fromEntries(
    entities().map((entity) => {
      const filters = filtersOf(entity);
      return [
        camelCase(entity),
        {
          ...(filters.length > 0 ? { filters: filtersParameter(entity) } : {}),
          ids: Object.fromEntries(filters.map(({ field, path }) => [camelCase(field), path])),
          ...(eventsOf(entity, true).length > 0 ? { watch: watchParameter(entity) } : {}),
        },
      ];
    }),
  );
