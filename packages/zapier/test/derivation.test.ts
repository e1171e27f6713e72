import {
  bareSchema,
  events,
  eventTypes,
  jsonPartsOf,
  type OperationDeclaration,
  operations,
  type ResourceDeclaration,
  resources,
} from '@dealkeep/contract';
import { describe, expect, test } from 'vitest';
import * as z from 'zod';
import { actionKey } from '../src/actions/action-name.ts';
import { appHandler } from '../src/app-handler.ts';
import { Definition } from '../src/checks/index.ts';
import { apiKey, integration } from '../src/index.ts';
import { triggers } from '../src/triggers/catalog.ts';

const { results } = await appHandler(integration(apiKey))({ command: 'definition', calledFromCli: true });
const definition = Definition.parse(results);

const all: readonly OperationDeclaration[] = Object.values(operations);
const records = Object.entries<ResourceDeclaration>(resources)
  .filter(([, { kind }]) => kind === 'record')
  .map(([name]) => name);
const listed = records.filter((name) =>
  all.some(({ resource, kind }) => resource === name && kind === 'list'),
);
const changing = all.filter(
  ({ resource, kind }) => records.includes(resource) && ['create', 'update', 'action'].includes(kind),
);

const keysOf = (fields: Definition['creates'][string]['operation']['inputFields']): string[] =>
  fields.flatMap((field) =>
    typeof field === 'string' ? [] : [field.key, ...(field.children ?? []).map(({ key }) => key)],
  );
const operationNamed = (kind: 'triggers' | 'creates' | 'searches', key: string) => {
  const found = definition[kind][key];
  if (!found) throw new Error(`There is no ${kind}.${key}.`);
  return found.operation;
};

/** The keys of a body, nested objects spread out as the editor shows them. */
function bodyKeys(object: z.ZodObject, prefix = ''): string[] {
  return Object.entries(object.shape).flatMap(([name, schema]) => {
    const bare = jsonPartsOf(schema) ?? bareSchema(schema).bare;
    if (bare instanceof z.ZodObject) return bodyKeys(bare, `${prefix}${name}__`);
    const line = bare instanceof z.ZodArray ? bareSchema(bare.element).bare : undefined;
    const lineKeys = line instanceof z.ZodObject ? bodyKeys(line, `${prefix}${name}__`) : [];
    return [`${prefix}${name}`, ...lineKeys];
  });
}

describe('what the contract promises is in Zapier', () => {
  test.each(changing.map((operation) => [operation.id, operation] as const))(
    '%s is an action with every field of its body',
    (_, operation) => {
      const form = keysOf(operationNamed('creates', actionKey(operation)).inputFields);
      expect(form).toEqual(expect.arrayContaining(operation.body ? bodyKeys(operation.body) : []));
    },
  );

  test.each(eventTypes)('%s starts a Zap', (type) => {
    expect(triggers.filter((each) => each.events.includes(type) && each.key !== 'any_event')).toHaveLength(1);
    const choices = operationNamed('triggers', 'any_event').inputFields[0];
    expect(choices).toMatchObject({ choices: { [type]: events[type].label.en } });
  });

  test.each(listed)('a %s can be found', (resource) => {
    expect(keysOf(operationNamed('searches', `find_${resource}`).inputFields)).not.toEqual([]);
  });

  test.each(eventTypes.filter((type) => 'updated' in events[type]))('%s can watch single fields', (type) => {
    expect(keysOf(operationNamed('triggers', type.replace('.', '_')).inputFields)).toContain(
      'fields_to_watch',
    );
  });
});

describe('a form', () => {
  test('asks for the pipeline before the stage, also where the API does not take one', () => {
    const form = keysOf(operationNamed('creates', 'move_lead').inputFields);
    expect(form.indexOf('pipeline_id')).toBe(form.indexOf('stage_id') - 1);
  });

  test('offers what can be emptied in updates only', () => {
    expect(keysOf(operationNamed('creates', 'update_company').inputFields)).toContain('fields_to_clear');
    expect(keysOf(operationNamed('creates', 'create_company').inputFields)).not.toContain('fields_to_clear');
  });

  test('names countries instead of codes', () => {
    expect(operationNamed('creates', 'create_company').inputFields).toContainEqual(
      expect.objectContaining({
        key: 'country_code',
        choices: expect.objectContaining({ SK: 'Slovakia (SK)' }),
      }),
    );
  });
});
