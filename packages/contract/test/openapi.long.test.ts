import { arbitraryInput } from '@dealkeep/testing';
import fc from 'fast-check';
import { describe, expect, test } from 'vitest';
import * as z from 'zod';
import {
  bareSchema,
  dataSchemaOf,
  descriptionOf,
  errorStatus,
  errorsOf,
  eventTypes,
  formsOf,
  sampleData,
} from '../src/index.ts';
import {
  ajv,
  at,
  declarations,
  document,
  everySchema,
  isObject,
  object,
  objectAt,
  origin,
  placeOf,
  problems,
  validatorAt,
} from './described.ts';

/** Those that stand in no other one; what stands in many places, once. */
const wholeSchemas = [
  ...new Map(
    everySchema
      .filter((path) => path.at(-2) === 'schemas' || (path.at(-1) === 'schema' && !path.includes('schemas')))
      .map((path) => [JSON.stringify(at(...path)), path]),
  ).values(),
];

/** The schemas whose examples stand in a value of {@link valuesOf}. */
const shown = new Set<string>();

/** Values of a schema that hold, all together, every example in it; those that it refers to have their own. */
function valuesOf(schema: Record<string, unknown>): readonly unknown[] {
  const known = values.get(schema) ?? findValues(schema);
  values.set(schema, known);
  return known;
}
const values = new Map<object, readonly unknown[]>();

function findValues(schema: Record<string, unknown>): readonly unknown[] {
  const { $ref, examples, properties, items, anyOf, oneOf } = schema;
  const own = Array.isArray(examples) ? examples : [];
  if (own.length > 0) shown.add(JSON.stringify(schema));
  if (typeof $ref === 'string') {
    return own.length > 0 ? own : valuesOf(objectAt(...$ref.split('/').slice(1))).slice(0, 1);
  }
  const forms = [anyOf, oneOf].flatMap((each) => (Array.isArray(each) ? each : [])).filter(isObject);
  const lists = isObject(items) ? valuesOf(items).map((value) => [value]) : [];
  const objects = objectsOf(schema, isObject(properties) ? properties : {});
  return [...own, ...forms.flatMap(valuesOf), ...lists, ...objects];
}

/** Objects of a schema, in which each field has each of its values once. */
function objectsOf(schema: Record<string, unknown>, properties: Record<string, unknown>): readonly object[] {
  const required = Array.isArray(schema['required']) ? schema['required'] : [];
  // A reduced form lacks something that the whole has.
  const whole = isObject(schema['not']) ? String(schema['not']['$ref']).split('/').slice(1) : undefined;
  const ofWhole = whole ? objectAt(...whole)['required'] : [];
  const lacking = Array.isArray(ofWhole) ? ofWhole.find((name) => !required.includes(name)) : undefined;
  const fields = Object.entries(properties).flatMap(([name, field]) => {
    if (!isObject(field) || name === lacking) return [];
    const values = valuesOf(field);
    if (values.length > 0) return [[name, values] as const];
    return required.includes(name) ? [[name, [plainValueOf(field)]] as const] : [];
  });
  const count = Math.max(0, ...fields.map(([, values]) => values.length));
  return Array.from({ length: count }, (_, at) =>
    Object.fromEntries(fields.map(([name, values]) => [name, values[Math.min(at, values.length - 1)]])),
  );
}

const plainValues: Readonly<Record<string, unknown>> = { null: null, boolean: true, array: [], string: 'x' };
const ofFormat: Readonly<Record<string, string>> = {
  uuid: '01985f6e-2c41-7d3a-9b52-4f0c8a7e1d63',
  uri: origin,
  date: '2026-10-01',
  'date-time': '2026-10-01T08:00:00.000Z',
};

/** Of a schema without examples. */
function plainValueOf(schema: Record<string, unknown>): unknown {
  const { $ref, enum: choices, const: only, type, format, properties, required, anyOf, oneOf } = schema;
  if (typeof $ref === 'string') return plainValueOf(objectAt(...$ref.split('/').slice(1)));
  if (Array.isArray(choices)) return choices[0];
  if (only !== undefined) return only;
  const [form] = [anyOf, oneOf].flatMap((each) => (Array.isArray(each) ? each : []));
  if (isObject(form)) return plainValueOf(form);
  const [first = 'null'] = [type].flat().map(String).toSorted();
  if (first === 'object') {
    const names = Array.isArray(required) ? required.map(String) : [];
    return Object.fromEntries(names.map((name) => [name, plainValueOf(Object(Object(properties)[name]))]));
  }
  if (typeof format === 'string' && Object.hasOwn(ofFormat, format)) return ofFormat[format];
  return Object.hasOwn(plainValues, first) ? plainValues[first] : 1;
}

describe('schemas', () => {
  test('there are plenty, and all are valid JSON Schema 2020-12', () => {
    expect(everySchema.length).toBeGreaterThan(500);
    for (const path of wholeSchemas) {
      expect([path, ajv.validateSchema(objectAt(...path)), ajv.errors ?? []]).toEqual([path, true, []]);
    }
  });

  test('every example of a schema is an example of it', () => {
    for (const path of wholeSchemas) {
      for (const value of valuesOf(objectAt(...path)))
        expect([path, problems(path, value)]).toEqual([path, []]);
    }
    const withExamples = everySchema.filter((path) => Array.isArray(at(...path, 'examples')));
    expect(withExamples.filter((path) => !shown.has(JSON.stringify(at(...path))))).toEqual([]);
  });

  test('every reference leads somewhere', () => {
    const references = new Set(
      [...JSON.stringify(document).matchAll(/"\$ref":"#\/([^"]+)"/g)].map(([, reference = '']) => reference),
    );
    expect([...references].filter((reference) => at(...reference.split('/')) === undefined)).toEqual([]);
  });
});

/**
 * Whether a body, and all in it, has the field that it needs of several, and is one of several forms; it is refused
 * later otherwise.
 */
function namesOne(schema: z.core.$ZodType, value: unknown): boolean {
  const { bare } = bareSchema(schema);
  const forms = formsOf(bare);
  if (forms) return forms.some((form) => form.safeParse(value).success && namesOne(form, value));
  if (bare instanceof z.ZodArray) {
    return !Array.isArray(value) || value.every((each) => namesOne(bare.element, each));
  }
  if (!(bare instanceof z.ZodObject)) return true;
  const given = object.safeParse(value).data ?? {};
  const { fields = [], alone = false } = descriptionOf(schema)?.oneOf ?? {};
  const said = fields.filter((field) => (given[field] ?? null) !== null);
  // An empty one names nothing.
  const named = said.some((field) => Object(given[field]).length > 0);
  if (fields.length > 0 && (!named || (alone && said.length > 1))) return false;
  return Object.entries(bare.shape).every(([key, field]) => namesOne(field, given[key]));
}

describe.each(declarations)('$id', (declaration) => {
  const place = placeOf(declaration);

  test('allows in its body what the API accepts', () => {
    const { body } = declaration;
    if (!body) return;
    const media = [...place, 'requestBody', 'content', 'application/json', 'schema'];
    const validate = validatorAt(media);
    fc.assert(
      fc.property(arbitraryInput(body), (value) => {
        const accepted = body.safeParse(value).success && namesOne(body, value);
        if (accepted) expect([validate(value), validate.errors]).toEqual([true, null]);
      }),
      { numRuns: 30 },
    );
  });

  test('shows an answer for every success that both accept', () => {
    const statuses = Object.keys(objectAt(...place, 'responses')).filter((status) => status < '300');
    expect(statuses).toEqual(declaration.statuses.map(String).toSorted());
    for (const status of statuses) {
      const media = [...place, 'responses', status, 'content', 'application/json'];
      if (declaration.shape === 'nothing') {
        expect(at(...media)).toBeUndefined();
        continue;
      }
      const example = at(...media, 'example');
      expect(problems([...media, 'schema'], example)).toEqual([]);
      const data = declaration.shape === 'bare' ? example : object.parse(example)['data'];
      const schema =
        declaration.shape === 'list' ? z.array(declaration.answer ?? z.never()) : declaration.answer;
      expect(schema?.safeParse(data).error).toBeUndefined();
    }
  });

  test('shows every error that it can answer, in the specified form, and no other', () => {
    const shown = Object.entries(objectAt(...place, 'responses')).flatMap(([status, response]) => {
      if (status < '300') return [];
      if (status === '304') {
        expect([declaration.kind, object.parse(response)['content']]).toEqual(['get', undefined]);
        return [];
      }
      const media = ['content', 'application/json'];
      const examples = objectAt(...place, 'responses', status, ...media, 'examples');
      expect(Object.keys(object.parse(object.parse(response)['headers']))).toContain('X-RateLimit-Limit');
      return Object.entries(examples).map(([code, example]) => {
        const { value } = z.object({ value: object }).parse(example);
        expect(problems(['components', 'schemas', 'Error'], value)).toEqual([]);
        expect(JSON.stringify(value)).not.toMatch(/\{\w+\}/);
        expect(object.parse(value['error'])['code']).toBe(code);
        return [code, Number(status)];
      });
    });
    expect(Object.fromEntries(shown)).toEqual(
      Object.fromEntries(errorsOf(declaration).map((code) => [code, errorStatus[code]])),
    );
  });
});

describe('webhooks', () => {
  test.each(eventTypes)('%s shows an envelope that fits, with data as GET answers them', (type) => {
    const media = ['webhooks', type, 'post', 'requestBody', 'content', 'application/json'];
    expect(problems([...media, 'schema'], at(...media, 'example'))).toEqual([]);
    const data = sampleData(type);
    expect(dataSchemaOf(type).strict().safeParse(data).error).toBeUndefined();
    expect(objectAt('webhooks', type, 'post')).toMatchObject({
      'x-required-scope': expect.stringMatching(/:read$/),
      'x-sk-summary': expect.stringMatching(/\S/),
      'x-sk-description': expect.stringMatching(/\S/),
    });
  });
});
