import { expect, test } from 'vitest';
import * as z from 'zod';
import { bareSchema, type OperationDeclaration, operations } from '../src/index.ts';

/** Paths of the fields of a body that may be absent, but not null. */
function* absentButNotNull(schema: z.core.$ZodType, path: string): Generator<string> {
  const { bare } = bareSchema(schema);
  if (bare instanceof z.ZodArray) yield* absentButNotNull(bare.element, `${path}[]`);
  if (!(bare instanceof z.ZodObject)) return;
  for (const [name, field] of Object.entries(bare.shape)) {
    const { optional, nullable } = bareSchema(field);
    if (optional && !nullable) yield `${path}.${name}`;
    yield* absentButNotNull(field, `${path}.${name}`);
  }
}

const creating = Object.values<OperationDeclaration>(operations).filter(({ kind }) => kind === 'create');

test.each(creating)('$id takes null for what may be absent', ({ id, body }) => {
  expect([...absentButNotNull(body ?? z.never(), id)]).toEqual([]);
});
