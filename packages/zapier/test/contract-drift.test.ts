import {
  describe as described,
  type EventDeclaration,
  eventFilters,
  events,
  eventTypes,
  isUpdate,
  type OperationDeclaration,
  operations,
  type ResourceDeclaration,
  resources,
  text,
  watchableFields,
} from '@dealkeep/contract';
import { describe, expect, test } from 'vitest';
import * as z from 'zod';
import { type Contract, driftFindings } from '../bin/checks/contract-drift.ts';
import { inputFieldsOf } from '../bin/checks/definition.ts';
import { Definition } from '../bin/checks/index.ts';
import { apiKey, variants } from '../src/index.ts';
import { definitionOf } from './platform/definition-of.ts';

const contract: Contract = { operations, events, resources };
const definition = Definition.parse(await definitionOf(apiKey));
const isWatch = (field: unknown): boolean => Reflect.get(Object(field), 'key') === 'fields_to_watch';

const driftOf = (more: Partial<Contract>) =>
  driftFindings(definition, { ...contract, ...more }, apiKey.reaches);

test.each(Object.entries(variants))(
  'the definition of %s has all that the contract promises (rules versioning 11, connectors 1 and connectors 3)',
  async (_, variant) => {
    const built = Definition.parse(await definitionOf(variant));
    expect(driftFindings(built, contract, variant.reaches)).toEqual([]);
  },
);

test.each(eventTypes.filter(isUpdate))(
  'the fields to watch of %s are those that it can name (rule connectors 6)',
  (type) => {
    const trigger = definition.triggers[type.replace('.', '_')];
    if (!trigger) throw new Error(`There is no trigger for ${type}`);
    const watch = inputFieldsOf({ where: type, operation: trigger }).find(
      ({ field }) => field.key === 'fields_to_watch',
    );
    expect(Object.keys(Object(watch?.field.choices))).toEqual(watchableFields(type));
  },
);

const narrowing = Object.values(definition.triggers).flatMap((trigger) =>
  inputFieldsOf({ where: trigger.key, operation: trigger }).filter(
    ({ field }) => trigger.operation.type === 'hook' && eventFilters.some((name) => name === field.key),
  ),
);

test('what a trigger is narrowed by takes several values from a list, and nobody has to (rule zapier 7)', () => {
  expect(narrowing.length).toBeGreaterThan(80);
  for (const { where, field } of narrowing) {
    expect(field, where).toMatchObject({ list: true });
    expect(field.required ?? false, where).toBe(false);
    expect(field.dynamic ?? field.choices, where).toBeDefined();
  }
});

test.each([
  ['lead_created', 'pipeline_id', 'list_stages.id.name'],
  ['task_created', 'project_id', 'list_project_stages.id.name'],
])(
  'the stages of %s are those of what is chosen above (rules zapier 7 and connectors 4)',
  (key, parent, dynamic) => {
    const stage = narrowing.find(({ where }) => where === `${key}.stage_id`);
    expect(stage?.field).toMatchObject({ dynamic, dependsOn: [parent] });
  },
);

describe('what the contract gets, and the definition lacks, is told with its place (rule connectors 1)', () => {
  const website = described(z.string(), { label: text('Website', 'Webová stránka') }).nullish();
  const withOperation = (
    id: keyof typeof operations,
    changes: Partial<OperationDeclaration>,
    newId: string = id,
  ) => driftOf({ operations: { ...operations, [newId]: { ...operations[id], id: newId, ...changes } } });

  test('a new operation', () => {
    const title = text('Merge a lead', 'Zlúčiť príležitosť');
    expect(withOperation('leads.move', { title }, 'leads.merge')).toEqual([
      'The operation leads.merge has no action: add it to packages/connectors/src/catalog/actions.ts, to "actions" or, with the reason, to "leftOutActions".',
    ]);
  });

  test('an operation that deletes', () => {
    const changes = { kind: 'delete', method: 'DELETE', title: text('Delete a lead', 'Zmazať') } as const;
    expect(withOperation('leads.get', changes, 'leads.delete')).toEqual([
      'The operation leads.delete has no action: add it to packages/connectors/src/catalog/actions.ts, to "actions" or, with the reason, to "leftOutActions".',
    ]);
  });

  test('a new field of a body', () => {
    const body = operations['companies.create'].body.extend({ website });
    expect(withOperation('companies.create', { body })).toEqual([
      'The body of companies.create takes website, which create_company does not ask for: packages/connectors/src/forms/form-field.ts derives forms.',
    ]);
  });

  test('a new field of a line item', () => {
    const { body } = operations['invoices.create'];
    const items = z.array(z.object({ ...z.object(body.shape.items.element.shape).shape, website }));
    expect(withOperation('invoices.create', { body: body.extend({ items }) })).toEqual([
      'The body of invoices.create takes items__website, which create_invoice does not ask for: packages/connectors/src/forms/form-field.ts derives forms.',
    ]);
  });

  test('a new filter of a list', () => {
    const query = operations['companies.list'].query.extend({ website });
    expect(withOperation('companies.list', { query })).toEqual([
      'The list companies.list has the filter website, by which find_company does not search: add it to its line in packages/connectors/src/catalog/searches.ts, to "filters" or, with the reason, to "leftOut".',
    ]);
  });

  test('a new event', () => {
    const reopened: EventDeclaration = {
      ...events['lead.won'],
      label: text('Lead reopened', 'Znovu otvorená'),
    };
    expect(driftOf({ events: { ...events, 'lead.reopened': reopened } })).toEqual([
      'The event lead.reopened starts no Zap: add it to a trigger of packages/connectors/src/catalog/triggers.ts.',
    ]);
  });

  test('a new filter of an event', () => {
    const { filters } = events['company.created'];
    const created: EventDeclaration = {
      ...events['company.created'],
      filters: { ...filters, origin_id: 'origin.id' },
    };
    expect(driftOf({ events: { ...events, 'company.created': created } })).toEqual([
      'The event company.created can be filtered by origin_id, which company_created does not offer: packages/connectors/src/triggers/event-filters.ts derives filters.',
    ]);
  });

  test('a new field of a record, for each of its events', () => {
    const { contact } = resources;
    const schema = contact.schema.extend({ website: z.string() });
    expect(driftOf({ resources: { ...resources, contact: { ...contact, schema } } })).toEqual([
      'The record of contact.created has website, which contact_created does not give on: packages/connectors/src/records/output-fields.ts derives outputs.',
      'The record of contact.updated has website, which contact_updated does not give on: packages/connectors/src/records/output-fields.ts derives outputs.',
    ]);
  });

  test('an event that tells what changed, and a trigger without fields to watch', () => {
    const { lead_updated: updated, ...triggers } = definition.triggers;
    if (!updated) throw new Error('There is no trigger of changed leads');
    const inputFields = updated.operation.inputFields?.filter((field) => !isWatch(field));
    const blind = { ...updated, operation: { ...updated.operation, inputFields } };
    const found = driftFindings(
      { ...definition, triggers: { ...triggers, lead_updated: blind } },
      contract,
      apiKey.reaches,
    );
    expect(found).toEqual([
      'lead_updated offers no fields to watch: packages/connectors/src/triggers/trigger-form.ts adds them to what an update starts.',
    ]);
  });

  test('a new resource', () => {
    const shipment: ResourceDeclaration = { ...resources.task, label: text('Shipment', 'Zásielka') };
    const list: OperationDeclaration = {
      ...operations['tasks.list'],
      id: 'shipments.list',
      resource: 'shipment',
    };
    expect(
      driftOf({
        resources: { ...resources, shipment },
        operations: { ...operations, 'shipments.list': list },
      }),
    ).toEqual([
      'The list shipments.list has no search: add it to packages/connectors/src/catalog/searches.ts.',
    ]);
  });

  test('but not what a connection cannot reach', () => {
    const out: EventDeclaration = {
      ...events['product.created'],
      label: text('Product sold out', 'Vypredané'),
    };
    const withSoldOut = { ...contract, events: { ...events, 'product.sold_out': out } };
    expect(driftFindings(definition, withSoldOut, () => true)).toHaveLength(1);
    expect(driftFindings(definition, withSoldOut, (scope) => scope !== 'products:read')).toEqual([]);
  });
});
