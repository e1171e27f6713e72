import {
  bareSchema,
  operations as contract,
  descriptionOf,
  events as eventCatalog,
  eventTypes,
  type OperationDeclaration,
  oauthScopes,
  operationIds,
} from '@dealkeep/contract';
import { describe, expect, test } from 'vitest';
import { actionDescription } from '../nodes/shared/generated/action-description.ts';
import { loads, searches } from '../nodes/shared/generated/choices.ts';
import { eventOptions } from '../nodes/shared/generated/constants.ts';
import { events } from '../nodes/shared/generated/events.ts';
import { operations } from '../nodes/shared/generated/operations.ts';
import { triggerDescription } from '../nodes/shared/generated/trigger-description.ts';
import type { Field, Operation } from '../nodes/shared/tables.ts';
import { generatedFiles } from '../scripts/generate/files.ts';
import { hidden } from '../scripts/generate/grouping.ts';
import { camelCase } from '../scripts/generate/wording.ts';
import { writtenFiles } from '../scripts/generate/written-files.ts';

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
): { name: string; type: string; typeOptions?: unknown; modes?: unknown }[] {
  if (Array.isArray(value)) return value.flatMap(parametersIn);
  if (typeof value !== 'object' || value === null) return [];
  const inner = Object.values(value).flatMap(parametersIn);
  return 'displayName' in value && 'type' in value && 'name' in value && 'default' in value
    ? [{ ...value, name: String(value.name), type: String(value.type) }, ...inner]
    : inner;
}

describe('the generated code', () => {
  test('follows from the contract', async () => {
    const [written, files] = [await writtenFiles(), generatedFiles()];
    expect([...written.keys()].sort()).toEqual([...files.keys()].sort());
    for (const [path, content] of files) {
      expect(written.get(path), `${path}: run npm run generate`).toBe(content);
    }
  });

  test('holds the shape of the output of every operation', () => {
    const files = generatedFiles();
    for (const [operation] of rows) {
      const [resource, name] = operation.split('.');
      expect([...files.keys()]).toContain(`Dealkeep/__schema__/v1.0.0/${resource}/${name}.json`);
    }
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
      const body = Object.keys(declaration.body?.shape ?? {}).filter((name) => !hidden[id]?.includes(name));
      const filters = Object.keys(declaration.query?.shape ?? {}).filter(
        (name) => !['limit', 'cursor', 'sort'].includes(name),
      );
      expect(names, id).toEqual(expect.arrayContaining([...body, ...filters]));
    }
  });

  test('asks for no id in a text field: every reference is a dropdown', () => {
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
    for (const parameter of shown.filter(({ name }) => /Ids?$/.test(name))) {
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
    expect(offered.filter(isHidden).map(({ name }) => name)).toEqual(['Product']);
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
