import { checkValue } from '@dealkeep/contract';
import type * as z from 'zod';
import type { Changing } from '../../change/verb/verb.ts';
import type { Fragment } from '../../foundations/database/connect.ts';
import { findLocked, lockNumber } from '../../foundations/database/in-transaction.ts';
import { invalidField, invalidFields, Problem } from '../../foundations/problem.ts';

/** How many ids a conflict names. */
const namedIds = 10;

/** A record that matches, and what it matched by. */
export interface Match {
  readonly id: string;
  readonly value: string;
}

interface Wanted {
  /** Begins the name of the lock. */
  readonly lock: readonly string[];
  readonly field: string;
  readonly value: string | null | undefined;
  /** `select id, FIELD as value from … limit …` of the records that have it. */
  matching(value: string, limit: number): Fragment;
}

/**
 * The one record of the value that "create or update" looks for; undefined where there is none. Who looks for the
 * same value waits until the transaction ends, so that two at the same moment make one record. Raises CONFLICT where
 * several match, and VALIDATION_ERROR without a value (rules upserts 1, 5 and 6).
 */
export async function findMatch(
  { sql, organization }: Pick<Changing, 'sql' | 'organization'>,
  { lock, field, value, matching }: Wanted,
): Promise<Match | undefined> {
  if (!value) throw invalidField(field, 'field.required');
  const [name = '', ...rest] = lock;
  const found = await findLocked(
    sql,
    [lockNumber(name, organization, ...rest, value)],
    () => sql<Match[]>`${matching(value, namedIds + 1)}`,
  );
  if (found.length > 1) {
    const ids = found.slice(0, namedIds).map(({ id }) => id);
    throw new Problem('upsert.several', { field }, { detail: { ids } });
  }
  return found[0];
}

/** A body that matched nothing as the body of a creation. Raises VALIDATION_ERROR for what a creation demands. */
export function asCreation<Schema extends z.ZodType>(schema: Schema, body: unknown): z.output<Schema> {
  const checked = checkValue(schema, body);
  if (checked.problems) throw invalidFields(checked.problems);
  return checked.data;
}
