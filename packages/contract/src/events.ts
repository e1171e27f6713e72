import * as z from 'zod';
import { type EventCategory, type EventDeclaration, today } from './event.ts';
import { bareSchema } from './field.ts';
import { inOrder, recordKindNames, togetherOf } from './records.ts';
import { type ResourceName, resources } from './resources.ts';

/** In the order of the catalog; what does not stand here comes after. */
const order: readonly string[] = [
  'lead',
  'company',
  'contact',
  'client',
  'activity',
  'task',
  'invoice',
  'quote',
  'booking',
  'product',
  'order',
];

/** The event catalog (rules events 1 and 2). Only what is really emitted stands here. */
export const events = togetherOf('events', inOrder(recordKindNames, order));

export type EventType = keyof typeof events;

export const eventTypes = Object.keys(events).filter((type): type is EventType => type in events);

export const isEventType = (value: string): value is EventType => Object.hasOwn(events, value);

/** The events of a category about records of a resource, in the order of the catalog. */
export const eventsOf = (entity: ResourceName, category: EventCategory): EventType[] =>
  eventTypes.filter((type) => events[type].entity === entity && events[type].category === category);

/** What an event can be filtered by: filters of its record's list, and where its data holds the value of each. */
export function filtersOfEvent(type: EventType): Readonly<Record<string, string>> {
  const { filters = {} }: EventDeclaration = events[type];
  return filters;
}

/** The schema of what an event can be filtered by; undefined where it does not have it. */
export function filterSchemaOf(type: EventType, name: string): z.ZodType | undefined {
  const filters = filtersOfEvent(type);
  const path = Object.hasOwn(filters, name) ? filters[name] : undefined;
  return path === undefined ? undefined : schemaAt(dataSchemaOf(type), path.split('.'));
}

function schemaAt(schema: z.ZodType, [part, ...rest]: readonly string[]): z.ZodType | undefined {
  if (part === undefined) return schema;
  const { bare } = bareSchema(schema);
  const [name = '', isList] = part.endsWith('[]') ? [part.slice(0, -2), true] : [part, false];
  const inner = bare instanceof z.ZodObject ? bareSchema(bare.shape[name] ?? z.never()).bare : undefined;
  const next = isList && inner instanceof z.ZodArray ? bareSchema(inner.element).bare : inner;
  return next instanceof z.ZodType ? schemaAt(next, rest) : undefined;
}

/** The values that an event's data has of something that it can be filtered by. */
export function filteredValuesOf(type: EventType, name: string, data: object): string[] {
  const path = filtersOfEvent(type)[name];
  if (path === undefined) return [];
  let values: unknown[] = [data];
  for (const part of path.split('.')) {
    const key = part.replace('[]', '');
    values = values.flatMap((value) =>
      typeof value === 'object' && value !== null ? Reflect.get(value, key) : [],
    );
  }
  return values.filter((value) => typeof value === 'string');
}

/** Parameters of the record's list that find, at a moment, records in the state that an event leaves. */
export function stateLeftBy(type: EventType, now: Date): Readonly<Record<string, string | boolean>> {
  const { leaves = {} }: EventDeclaration = events[type];
  return Object.fromEntries(
    Object.entries(leaves).map(([name, value]) => [
      name,
      value === today ? now.toISOString().slice(0, 10) : value,
    ]),
  );
}

/** Whether the envelopes of an event carry `changed_fields`: those of every `x.updated`. */
export const isUpdate = (type: EventType): boolean => type.endsWith('.updated');

/**
 * Whether the envelopes of an event carry `previous`: those of every `x.updated`, of moves to another stage, and of
 * every step of an order.
 */
export function tellsPrevious(type: EventType): boolean {
  const { category, entity } = events[type];
  return isUpdate(type) || category === 'moved' || (entity === 'order' && category !== 'created');
}

/**
 * Fields that name a record, that other events tell of alone, or that no event tells of: when it was made, and what
 * is shown on demand.
 */
const neverChanged = new Set([
  'id',
  'uuid',
  'app_url',
  'created_at',
  'updated_at',
  'archived_at',
  'deduplicated',
  'stock_on_hand',
  'stock_available',
]);

/** The fields whose change an event tells of, named in its `changed_fields`; none where it is no `x.updated`. */
export function watchableFields(type: EventType): readonly string[] {
  if (!isUpdate(type)) return [];
  const { namedBeside = [] }: EventDeclaration = events[type];
  return Object.keys(dataSchemaOf(type).shape).filter(
    (name) => !neverChanged.has(name) && !namedBeside.includes(name),
  );
}

/**
 * The fields of an event's data whose former values its `previous` is read for; none where it tells of none.
 * `lead.updated` tells of the other fields that changed together with a stage.
 */
export function formerFields(type: EventType): readonly string[] {
  if (!tellsPrevious(type)) return [];
  const { formerly }: EventDeclaration = events[type];
  return formerly ?? Object.keys(dataSchemaOf(type).shape).filter((name) => !neverChanged.has(name));
}

/** The schema of an event's `data`: the record as its GET answers it. */
export const dataSchemaOf = (type: EventType): z.ZodObject => resources[events[type].entity].schema;
