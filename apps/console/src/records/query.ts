import { checkValue } from '@dealkeep/contract';
import { invalidParameter } from '@dealkeep/core';
import type * as z from 'zod';
import type { QueryPairs } from '../values/shown-record.ts';

/** Reads the parameters of a list that has no operation. Raises INVALID_PARAMETER; what the list does not know is left out. */
export function queryOf<Schema extends z.ZodObject>(schema: Schema, pairs: QueryPairs): z.output<Schema> {
  const values: Record<string, unknown> = {};
  for (const [name, value] of pairs) {
    if (Object.hasOwn(schema.shape, name)) values[name] = name === 'limit' ? Number(value) : value;
  }
  const checked = checkValue(schema, values);
  if (!checked.problems) return checked.data;
  const [problem] = checked.problems;
  throw problem ? invalidParameter(problem) : new Error('Unreachable: what is refused has a problem');
}
