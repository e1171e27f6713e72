import { describe, expect, test } from 'vitest';
import { Definition } from '../bin/checks/index.ts';
import { apiKey } from '../src/index.ts';
import { definitionOf } from './platform/definition-of.ts';

const definition = Definition.parse(await definitionOf(apiKey));

const keysOf = (fields: Definition['creates'][string]['operation']['inputFields']): string[] =>
  fields.flatMap((field) => (typeof field === 'string' ? [] : [field.key]));
const operationNamed = (kind: 'triggers' | 'creates' | 'searches', key: string) => {
  const found = definition[kind][key];
  if (!found) throw new Error(`There is no ${kind}.${key}.`);
  return found.operation;
};

describe('a form', () => {
  test('asks for the pipeline before the stage, also where the API does not take one', () => {
    const form = keysOf(operationNamed('creates', 'move_lead').inputFields);
    expect(form.indexOf('pipeline_id')).toBe(form.indexOf('stage_id') - 1);
  });

  test('offers what can be emptied in updates only', () => {
    expect(keysOf(operationNamed('creates', 'update_company').inputFields)).toContain('fields_to_clear');
    expect(keysOf(operationNamed('creates', 'create_company').inputFields)).not.toContain('fields_to_clear');
  });

  test.each(Object.keys(definition.searches).filter((key) => key !== 'search_everything'))(
    '%s asks for the ID first, all under keys of its own',
    (key) => {
      const [first, ...rest] = operationNamed('searches', key).inputFields;
      expect(first).toMatchObject({
        key: 'search_id',
        dynamic: expect.stringMatching(/^list_\w+\.id\.name$/),
      });
      expect(rest.length).toBeGreaterThan(1);
      for (const field of keysOf(rest)) expect(field).toMatch(/^search_/);
    },
  );

  test('names countries instead of codes', () => {
    expect(operationNamed('creates', 'create_company').inputFields).toContainEqual(
      expect.objectContaining({
        key: 'country_code',
        choices: expect.objectContaining({ SK: 'Slovakia (SK)' }),
      }),
    );
  });
});
