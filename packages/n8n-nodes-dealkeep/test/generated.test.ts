import { readFile } from 'node:fs/promises';
import { join } from 'node:path';
import {
  bareSchema,
  operations as contract,
  descriptionOf,
  events as eventCatalog,
  eventTypes,
  type OperationDeclaration,
  oauthScopes,
  operationIds,
  watchableFields,
} from '@dealkeep/contract';
import { describe, expect, test } from 'vitest';
import { actionDescription } from '../nodes/shared/generated/action-description.ts';
import { loads, searches } from '../nodes/shared/generated/choices.ts';
import { eventOptions } from '../nodes/shared/generated/constants.ts';
import { events } from '../nodes/shared/generated/events.ts';
import { operations } from '../nodes/shared/generated/operations.ts';
import { triggerDescription } from '../nodes/shared/generated/trigger-description.ts';
import type { Field, Operation } from '../nodes/shared/tables.ts';
import { generatedFiles, generatedFolders } from '../scripts/generate/files.ts';
import { sayTheSame } from '../scripts/generate/resource-operations.ts';
import { camelCase } from '../scripts/generate/wording.ts';
import { nodesFolder, writtenFiles } from '../scripts/generate/written-files.ts';

const rows: [string, Operation][] = Object.entries(operations).flatMap(([resource, of]) =>
  Object.entries(of).map(([name, row]): [string, Operation] => [`${resource}.${name}`, row]),
);
const fieldsOf = (row: Operation): readonly Field[] => [
  ...row.required,
  ...row.optional,
  ...(row.list?.filters ?? row.query ?? []),
  ...row.inPath,
];

/** Every parameter, those inside collections too. */
function parametersIn(
  value: unknown,
): { name: string; type: string; typeOptions?: unknown; modes?: unknown; options?: unknown }[] {
  if (Array.isArray(value)) return value.flatMap(parametersIn);
  if (typeof value !== 'object' || value === null) return [];
  const inner = Object.values(value).flatMap(parametersIn);
  return 'displayName' in value && 'type' in value && 'name' in value && 'default' in value
    ? [{ ...value, name: String(value.name), type: String(value.type) }, ...inner]
    : inner;
}

/** Names of the parameters of a fixed collection's only group. */
const valuesOf = (options: unknown): string[] =>
  Object.values(Object(options)).flatMap((group) =>
    Object(group).values.map(({ name }: { name: string }) => name),
  );

test('the fields to watch are those that an update can name (13.33)', () => {
  const offered = parametersIn(triggerDescription)
    .filter(({ name }) => name.endsWith('FieldsToWatch'))
    .map(({ options }) => Object.values(Object(options)).map((option) => String(Object(option).value)));
  const promised = eventTypes.map(watchableFields).filter((names) => names.length > 0);
  const sorted = (lists: readonly (readonly string[])[]) =>
    lists.map((names) => names.toSorted().join(' ')).toSorted();
  expect(sorted(offered)).toEqual(sorted(promised));
});

describe('the generated code', () => {
  test('follows from the contract', async () => {
    const [written, files] = [await writtenFiles(), generatedFiles()];
    expect([...written.keys()].sort()).toEqual([...files.keys()].sort());
    for (const [path, content] of files) {
      expect(written.get(path), `${path}: run npm run generate`).toBe(content);
    }
  });

  test('is marked as generated', async () => {
    const attributes = await readFile(join(nodesFolder, '../../../.gitattributes'), 'utf8');
    for (const folder of generatedFolders)
      expect(attributes).toContain(`/packages/n8n-nodes-dealkeep/nodes/${folder}/** linguist-generated\n`);
  });

  test('says once in which ways a record is given', () => {
    const written = [...generatedFiles()].flatMap(([path, content]) =>
      [...content.matchAll(/searchListMethod: '(\w+)'/g)].map(([, method]) => ({ path, method })),
    );
    expect(written.map(({ method }) => method).toSorted()).toEqual(Object.keys(searches).toSorted());
    expect(new Set(written.map(({ path }) => path))).toEqual(new Set(['shared/generated/locators.ts']));
  });

  test('holds the shape of the output of every operation', () => {
    const files = generatedFiles();
    for (const [operation] of rows) {
      const [resource, name] = operation.split('.');
      expect([...files.keys()]).toContain(`Dealkeep/__schema__/v1.0.0/${resource}/${name}.json`);
    }
  });
});

describe('create or update', () => {
  const shown = (resource: string, name: string, matchBy: string) =>
    actionDescription.filter((property) => {
      const show = property.displayOptions?.show ?? {};
      const has = (key: string, value: string) => show[key]?.includes(value);
      return (
        property.name === name &&
        has('resource', resource) &&
        has('operation', 'upsert') &&
        has('matchBy', matchBy)
      );
    });

  test.each([
    ['contact', 'email', { email: true, name: undefined, companyId: undefined }],
    ['contact', 'phone', { phone: true, name: undefined, companyId: undefined }],
    ['contact', 'name', { name: true, companyId: true }],
    ['company', 'registration_id', { registrationId: true, name: undefined }],
    ['company', 'name', { name: true }],
  ])(
    '%s by %s asks once for what is needed, and for the rest only to create (13.34)',
    (resource, by, fields) => {
      for (const [name, required] of Object.entries(fields)) {
        const asked = shown(resource, name, by);
        expect(
          asked.map((property) => property.required),
          name,
        ).toEqual([required]);
        if (!required)
          expect(asked[0]?.description).toMatch(/^Needed only when no .+ matches and one is created/);
      }
    },
  );

  test('of contacts searches for an e-mail in the whole organization (13.34)', () => {
    const { upsert } = operations['contact']?.['upsert'] ?? {};
    // Whole, so that nothing beside the e-mail narrows its search.
    expect(upsert).toEqual({
      list: '/contacts',
      update: '/contacts/{id}',
      matchBy: [
        { field: 'email', filter: true },
        { field: 'phone', within: { field: 'company_id', needed: false }, filter: true },
        { field: 'name', within: { field: 'company_id', needed: true }, filter: false },
      ],
      toCreate: [expect.objectContaining({ name: 'company_id' }), expect.objectContaining({ name: 'name' })],
    });
  });
});

describe('the action node', () => {
  test('offers every operation of the contract', () => {
    for (const id of operationIds) {
      const { method, path } = contract[id];
      const row = rows.find(([, each]) => each.method === method && each.path === path && !each.upsert);
      expect(row, id).toBeDefined();
    }
  });

  test('offers every field of every body and every filter of every list', () => {
    for (const id of operationIds) {
      const declaration: OperationDeclaration = contract[id];
      const row = rows.find(
        ([, each]) => each.method === declaration.method && each.path === declaration.path && !each.upsert,
      )?.[1];
      const names = row ? fieldsOf(row).map(({ name }) => name) : [];
      const [, ...leftOut] = sayTheSame(declaration);
      const body = Object.keys(declaration.body?.shape ?? {}).filter((name) => !leftOut.includes(name));
      const filters = Object.keys(declaration.query?.shape ?? {}).filter(
        (name) => !['limit', 'cursor', 'sort'].includes(name),
      );
      expect(names, id).toEqual(expect.arrayContaining([...body, ...filters]));
    }
  });

  test('asks for no id in a text field: every reference is a dropdown (13.35)', () => {
    const shown = parametersIn(actionDescription);
    for (const id of operationIds) {
      const declaration: OperationDeclaration = contract[id];
      const shape = { ...declaration.body?.shape, ...declaration.query?.shape };
      for (const [name, schema] of Object.entries(shape)) {
        if (!descriptionOf(schema)?.reference) continue;
        const field = rows.flatMap(([, row]) => fieldsOf(row)).find((each) => each.name === name);
        expect(bareSchema(schema).bare, id).toBeDefined();
        expect(field?.kind, `${id} ${name}`).toBe('reference');
      }
    }
    for (const parameter of shown.filter(({ name }) => /(Id|Uuid)s?$/.test(name))) {
      const texts = ['registrationId', 'taxId', 'vatId', 'externalId'];
      if (!texts.includes(parameter.name)) {
        expect(parameter, parameter.name).toMatchObject({
          type: expect.stringMatching(/^(resourceLocator|multiOptions)$/),
        });
      }
    }
  });

  test('fills every dropdown by a method that exists', () => {
    const methods = parametersIn([...actionDescription, ...triggerDescription]).flatMap((parameter) => [
      ...(JSON.stringify(parameter.modes ?? []).match(/(?<="searchListMethod":")\w+/g) ?? []),
      ...(JSON.stringify(parameter.typeOptions ?? {}).match(/(?<="loadOptionsMethod":")\w+/g) ?? []),
    ]);
    expect(new Set(methods)).toEqual(new Set([...Object.keys(searches), ...Object.keys(loads)]));
  });

  test('shows the address of a record of its own kind where a record can be given by its address', () => {
    const lead = actionDescription.find(({ name }) => name === 'leadId');
    const company = actionDescription.find(({ name }) => name === 'companyId');
    expect(JSON.stringify(lead?.modes)).toMatch(/example\.com\/leads\/[-0-9a-f]{36}"/);
    expect(JSON.stringify(company?.modes)).toMatch(/example\.com\/companies\/[-0-9a-f]{36}"/);
  });

  test("names actions as n8n's rules ask: the resource in every one, and no articles", () => {
    const resourceNames = new Map(
      actionDescription
        .find(({ name }) => name === 'resource')
        ?.options?.map((each) => [Object(each).value, String(Object(each).name).toLowerCase()]),
    );
    for (const { options = [], displayOptions } of actionDescription.filter(
      ({ name }) => name === 'operation',
    )) {
      const resource = String(resourceNames.get(displayOptions?.show?.['resource']?.[0]));
      for (const option of options) {
        const { action, description } = Object(option);
        expect(action).not.toMatch(/ (an?|the) /);
        // What is got of REST hooks is not always one.
        if (!/event/.test(action)) expect(action.toLowerCase()).toContain(resource.replace(/y$/, ''));
        expect(description, action).not.toMatch(/\b(null|sent|envelope|page)\b/);
      }
    }
  });

  test('never opens an empty form without a word: what is made has a field on top, or a notice', () => {
    const shownFor = (resource: string, operation: string) =>
      actionDescription.filter(
        ({ displayOptions }) =>
          displayOptions?.show?.['resource']?.includes(resource) &&
          displayOptions.show['operation']?.includes(operation),
      );
    for (const [operation] of rows.filter(([, { method }]) => method === 'POST')) {
      const [resource = '', name = ''] = operation.split('.');
      const atOnce = shownFor(resource, name).filter(
        ({ type, name: parameter }) => type !== 'collection' && !['output', 'fields'].includes(parameter),
      );
      expect(atOnce, operation).not.toEqual([]);
    }
  });

  test('marks the events of a REST hook as required', () => {
    const events = actionDescription.find(({ name }) => name === 'events');
    expect(events).toMatchObject({ type: 'multiOptions', required: true });
  });

  test('begins every group of fields with what matters most, and ends it with the additional ones', () => {
    const parameters = parametersIn(actionDescription);
    const names = (group: string) =>
      new Set(
        parameters
          .filter(({ name, type }) => name === group && type === 'fixedCollection')
          .map(({ options }) => valuesOf(options).join(', ')),
      );
    expect(names('company')).toEqual(new Set(['name, email, phone, additionalFields']));
    expect(names('customer')).toEqual(
      new Set(['name, email, phone', 'name, email, phone, additionalFields']),
    );
    expect(names('items')).toEqual(
      new Set([
        'name, unitPrice, quantity, additionalFields',
        'quantity, productUuid, sku, additionalFields',
      ]),
    );
  });

  test('has a parameter for every field that the running node reads', () => {
    const names = new Set(parametersIn(actionDescription).map(({ name }) => name));
    for (const [operation, row] of rows) {
      for (const { parameter } of fieldsOf(row)) expect(names, operation).toContain(parameter);
    }
  });
});

describe('under OAuth', () => {
  const isHidden = (option: unknown) =>
    JSON.stringify(Object(option).displayOptions) ===
    JSON.stringify({ hide: { '/authentication': ['oAuth2'] } });
  const reached = (scope: string | null) => scope === null || oauthScopes.some((each) => each === scope);

  test('only resources are offered that a connection can reach', () => {
    const offered = actionDescription.find(({ name }) => name === 'resource')?.options ?? [];
    for (const option of offered) {
      const ids = operationIds.filter((id) => camelCase(contract[id].resource) === Object(option).value);
      const canBeReached = ids.some((id) => reached(contract[id].scope));
      expect(isHidden(option), option.name).toBe(!canBeReached);
    }
    expect(offered.filter(isHidden).map(({ name }) => name)).toEqual(['Product', 'Product Category']);
  });

  test('only events are offered whose records a connection can read', () => {
    for (const option of eventOptions) {
      const type = eventTypes.find((each) => each === option.value);
      expect(isHidden(option), option.name).toBe(type !== undefined && !reached(eventCatalog[type].scope));
    }
  });

  test('items of an order take a SKU instead of a product', () => {
    const items = parametersIn(actionDescription.filter(({ name }) => name === 'items'));
    expect(isHidden(items.find(({ name }) => name === 'productUuid'))).toBe(true);
    expect(isHidden(items.find(({ name }) => name === 'sku'))).toBe(false);
  });
});

describe('the trigger node', () => {
  test('offers every event of the catalog, in groups of their records', () => {
    expect(eventOptions.map(({ value }) => value).sort()).toEqual([...eventTypes].sort());
    expect(Object.keys(events).sort()).toEqual([...eventTypes].sort());
    const entities = eventOptions.map(({ value }) => events[String(value)]?.entity);
    const groups = entities.filter((entity, index) => entity !== entities[index - 1]);
    expect(groups).toEqual([...new Set(groups)]);
  });
});
