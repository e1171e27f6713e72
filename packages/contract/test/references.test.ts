import {
  bareSchema,
  descriptionOf,
  everyOperation,
  exampleOf,
  isRecordReference,
  namesOf,
  type OperationDeclaration,
  recordReferences,
  references,
  resourceNames,
  resources,
} from '@dealkeep/contract';
import { expect, test } from 'vitest';
import * as z from 'zod';

interface Place {
  readonly at: string;
  readonly schema: z.core.$ZodType;
  readonly nullable: boolean;
}

/** Everything in a schema, whatever it stands in. */
function everythingIn(schema: z.core.$ZodType, at: string): Place[] {
  const { bare, nullable } = bareSchema(schema);
  const itself = { at, schema, nullable };
  if (bare instanceof z.ZodArray) return [itself, ...everythingIn(bare.element, `${at}[]`)];
  if (!(bare instanceof z.ZodObject)) return [itself];
  return [
    itself,
    ...Object.entries(bare.shape).flatMap(([name, field]) => everythingIn(field, `${at}.${name}`)),
  ];
}

const records = resourceNames.filter((name) => resources[name].kind === 'record');
const inRecords = records.flatMap((name) =>
  Object.entries(resources[name].schema.shape).flatMap(([field, schema]) =>
    everythingIn(schema, `${name}.${field}`),
  ),
);

test('the references to records are those to all records that a form can name', () => {
  const named = records.filter((name) => name in references);
  expect([...recordReferences].toSorted()).toEqual(named.toSorted());
});

test('a record says of all that it shows of another record which one that is, and can leave it out (rule scopes 13)', () => {
  // One id of an example is one record, everywhere.
  const kindOf = new Map<unknown, string>(
    recordReferences.map((name) => {
      const { id, uuid } = Object(exampleOf(resources[name].schema));
      return [id ?? uuid, name];
    }),
  );
  const own = new Set(records.flatMap((name) => [`${name}.id`, `${name}.uuid`]));
  const referring = inRecords.filter(({ at, schema }) => {
    const { bare } = bareSchema(schema);
    const id = bare instanceof z.ZodObject ? bare.shape['id'] : schema;
    const kind = id && kindOf.get(descriptionOf(id)?.example);
    // A record that stands in another one whole, such as the contacts of a company, refers by itself.
    const isWhole = bare instanceof z.ZodObject && 'app_url' in bare.shape;
    return kind !== undefined && !own.has(at) && !at.endsWith('.id') && !isWhole;
  });
  expect(referring.length).toBeGreaterThan(20);
  for (const { at, schema, nullable } of referring) {
    expect(isRecordReference(descriptionOf(schema)?.refersTo ?? ''), at).toBe(true);
    expect(nullable, at).toBe(true);
  }
  expect(inRecords.filter(({ schema }) => descriptionOf(schema)?.refersTo !== undefined).length).toBe(
    referring.length,
  );
});

test('only what a record is called by stays of a record that is not shown (rule scopes 13)', () => {
  const staying = inRecords.filter(({ schema }) => descriptionOf(schema)?.namesRecord).map(({ at }) => at);
  const called = recordReferences.flatMap((name) => {
    const [first] = namesOf(references[name]);
    const [field, ...rest] = first.split('.');
    const shown = inRecords.find(({ at }) => at === `${name}.${field}`);
    return rest.length > 0 && shown && descriptionOf(shown.schema)?.refersTo ? [`${name}.${field}`] : [];
  });
  expect(staying).toEqual(called);
});

test('every answer of the console that shows a record shows it by the schema that says so', () => {
  const unsaid = Object.values<OperationDeclaration>(everyOperation)
    .filter(({ resource, shape }) => shape !== 'bare' && records.some((name) => name === resource))
    .filter(({ answer }) => answer === undefined)
    .map(({ id }) => id);
  expect(unsaid).toEqual([]);
});
