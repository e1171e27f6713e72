import { describe, expect, test } from 'vitest';
import * as z from 'zod';
import {
  bareSchema,
  descriptionOf,
  type EventDeclaration,
  events,
  eventTypes,
  filteredValuesOf,
  filterFieldsOf,
  filterSchemaOf,
  filtersOfEvent,
  instructionOf,
  isUpdate,
  namesOf,
  type OperationDeclaration,
  operations,
  pathParameters,
  type Reference,
  type ReferenceName,
  type ResourceDeclaration,
  references,
  resourceNames,
  resources,
  sampleData,
  stateLeftBy,
  watchableFields,
  watchableFieldsOf,
} from '../src/index.ts';

const all = Object.values<OperationDeclaration>(operations);
const listOf = (resource: string) => all.find((each) => each.resource === resource && each.kind === 'list');

/** Whether a record holds a field at such a path. */
const standsIn = (schema: z.core.$ZodType | undefined, [name, ...rest]: string[]): boolean => {
  if (name === undefined || schema === undefined) return schema !== undefined;
  const { bare } = bareSchema(schema);
  return bare instanceof z.ZodObject && standsIn(bare.shape[name], rest);
};

/** The items of a list inside a record. */
const itemsOf = (schema: z.core.$ZodType | undefined, name: string): z.core.$ZodType | undefined =>
  schema instanceof z.ZodObject && name in schema.shape ? elementOf(schema.shape[name]) : undefined;

const elementOf = (schema: z.core.$ZodType): z.core.$ZodType | undefined => {
  const { bare } = bareSchema(schema);
  return bare instanceof z.ZodArray ? bareSchema(bare.element).bare : undefined;
};

const referenceNames = Object.keys(references).filter((name): name is ReferenceName => name in references);

describe('a language model', () => {
  test.each(all.map((each) => [each.id, each] as const))('is told what %s does', (_, declaration) => {
    const { does } = instructionOf(declaration);
    // An order in whole sentences, in words of the business and not of HTTP.
    expect(does).toMatch(/^[A-Z][a-z]+ .+[^.]\.$/);
    expect(does).not.toMatch(/^[A-Z][a-z]+s /);
    expect(does).not.toMatch(/\b(null|sent|body|envelope|page|n8n|Zapier)\b/);
    expect(does.length).toBeLessThan(200);
  });

  test('is told when to take an operation, and of an ID only where one is needed', () => {
    const when = (id: keyof typeof operations) => instructionOf(operations[id]).when;
    expect(when('companies.create')).toContain('when nothing that fits exists');
    expect(when('companies.list')).toContain('the IDs that other tools ask for');
    expect(when('companies.update')).toBe('Use it when the ID is known.');
    expect(when('orders.get')).toBe('Use it when the ID is known.');
    expect(when('me.get')).toBeUndefined();
    expect(when('webhooks.sample')).toBeUndefined();
    expect(when('webhooks.events')).toBeUndefined();
  });

  test('is told which of two operations fits, where both could', () => {
    const when = (id: keyof typeof operations) => instructionOf(operations[id]).when;
    expect(when('leads.archive')).toContain('moved to a lost stage instead');
    expect(when('activities.create')).toContain('is a task');
    expect(when('tasks.create')).toContain('is an activity');
  });

  test('that may name records is told that it needs no ID of them', () => {
    const when = (id: keyof typeof operations) => instructionOf(operations[id], { byName: true }).when;
    expect(when('leads.get')).toBe('Use it when the name or the ID is known.');
    expect(when('leads.list')).toContain('other tools take the names');
    expect(when('pipelines.list')).toContain('to choose from');
    for (const each of all) {
      expect(instructionOf(each, { byName: true }).when ?? '').not.toContain('the IDs');
    }
  });

  test('is told of a write by the operation itself', () => {
    const title = { en: 'Merge a lead', sk: 'Zlúčiť príležitosť' };
    const { instruction: _, ...merge }: OperationDeclaration = {
      ...operations['leads.move'],
      id: 'leads.merge',
    };
    expect(() => instructionOf({ ...merge, title })).toThrow('leads.merge');
  });
});

test('what nobody can bring back is destructive: all that deletes, and no reading, creating or updating', () => {
  const destructive = all.filter((each) => each.destructive);
  expect(destructive.map(({ id }) => id).toSorted()).toEqual([
    'bookings.cancel',
    'clients.erase',
    'companies.erase',
    'contacts.erase',
    'leads.archive',
    'leads.erase',
    'webhooks.delete',
  ]);
  expect(destructive).toEqual(expect.arrayContaining(all.filter(({ kind }) => kind === 'delete')));
  for (const { kind } of destructive) expect(['action', 'delete']).toContain(kind);
});

describe.each(eventTypes)('the event %s', (type) => {
  const { entity, category, leaves }: EventDeclaration = events[type];
  const list = listOf(entity);

  test('is in the category of its name', () => {
    expect(category === 'created').toBe(type.endsWith('.created'));
    expect(category === 'updated').toBe(isUpdate(type));
    expect(category === 'payment').toBe(type.includes('.payment_'));
    expect(category === 'overdue').toBe(type.endsWith('.overdue'));
  });

  test('is filtered by what its list is filtered by, and its record holds', () => {
    for (const name of Object.keys(filtersOfEvent(type))) {
      expect(list?.query?.shape[name], name).toBeDefined();
      expect(filterSchemaOf(type, name), name).toBeDefined();
      expect(filteredValuesOf(type, name, sampleData(type)), name).not.toEqual([]);
    }
  });

  test('leaves a state in which its list finds the record', () => {
    const state = stateLeftBy(type, new Date('2026-10-05T22:00:00Z'));
    if (category === 'status' || category === 'payment' || category === 'overdue')
      expect(Object.keys(state).length > 0).toBe(list !== undefined);
    else expect(leaves).toBeUndefined();
    expect(list?.query?.safeParse(state).error?.issues ?? []).toEqual([]);
  });
});

test('a task that is overdue is looked for by the day on which it is looked for', () => {
  const now = new Date('2026-10-05T22:00:00Z');
  expect(stateLeftBy('task.overdue', now)).toEqual({ completed: false, due_before: '2026-10-05' });
});

describe.each(referenceNames)('candidates of a reference to a %s', (name) => {
  const reference: Reference = references[name];
  const { query, answer }: OperationDeclaration = operations[references[name].list];

  test('are named, and told apart, by what their list shows of them', () => {
    const item = reference.items === undefined ? answer : itemsOf(answer, reference.items);
    for (const path of [...namesOf(reference), ...(reference.apart ?? [])])
      expect(standsIn(item, path.split('.')), path).toBe(true);
  });

  test('are narrowed to those in use by filters of their list', () => {
    expect(query?.safeParse(reference.inUse ?? {}).error?.issues ?? []).toEqual([]);
  });
});

describe.each(resourceNames)('the resource %s', (name) => {
  const { brief = [], schema, kind }: ResourceDeclaration = resources[name];

  test('is brief in fields that it has', () => {
    for (const field of brief) expect(Object.keys(schema.shape)).toContain(field);
    expect(new Set(brief).size).toBe(brief.length);
    if (kind !== 'record') expect(brief).toEqual([]);
  });
});

test('every text that takes an event type says so', () => {
  const { events: several, event } = operations['webhooks.create'].body.shape;
  const { type } = pathParameters(operations['webhooks.sample']).shape;
  expect(descriptionOf(bareSchema(several).bare)?.eventType).toBeUndefined();
  for (const schema of [elementOf(several), event, type]) {
    expect(schema && descriptionOf(schema)?.eventType).toBe(true);
  }
});

test.each(eventTypes)(
  'a form can ask for all that %s can be filtered by, and be told of, by name',
  (type) => {
    const filters = filterFieldsOf(type);
    expect(filters.map(({ name }) => name).toSorted()).toEqual(Object.keys(filtersOfEvent(type)).toSorted());
    const fromNothing = filters.filter(
      ({ reference, values, description }) => !reference && values.length === 0 && !description?.nameOf,
    );
    expect(fromNothing).toEqual([]);
    expect(watchableFieldsOf(type).map(({ name }) => name)).toEqual(watchableFields(type));
    expect([...filters, ...watchableFieldsOf(type)].filter(({ description }) => !description)).toEqual([]);
  },
);
