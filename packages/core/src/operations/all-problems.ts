import {
  everyOperation,
  type FieldProblem,
  isRecordReference,
  limits,
  type OperationDeclaration,
  type ReferenceName,
} from '@dealkeep/contract';
import type * as z from 'zod';
import { withProblemsLeft } from '../change/verb/check-input.ts';
import { type Mention, mentionsIn, notFoundAt } from '../change/verb/named-records.ts';
import type { ParsedRequest } from '../change/verb/parse-request.ts';
import { places } from '../change/verb/record-places.ts';
import { nameableAmong } from '../change/verb/sight.ts';
import type { Reading } from '../change/verb/verb.ts';
import { invalidFields, Problem } from '../foundations/problem.ts';
import type { Actor } from '../identity/credentials/credential.ts';
import { problemsLeft, type VerbId } from './verbs.ts';

/** What was asked, by whom. */
interface Asked {
  readonly id: VerbId;
  readonly context: Reading<Actor>;
  readonly path: ParsedRequest['path'];
}

/** What a body was refused for, what it refers to that there is not, and what its verb finds in the rest of it. */
export async function allProblems(
  { id, context, path }: Asked,
  schema: z.ZodObject,
  value: unknown,
  refused: readonly FieldProblem[],
): Promise<FieldProblem[]> {
  const missing = await missingReferences(context, schema, value, refused);
  return withProblemsLeft(schema, value, [...refused, ...missing], (left) =>
    problemsLeft(id, context, { path, ...left }),
  );
}

/**
 * A verb stops at the first check that fails, some of which come after others. Where that was about fields, all that
 * is wrong besides is found, so that it is not told in one round after the other. A single problem keeps its own
 * code.
 */
export async function toldThroughout(
  asked: Omit<Asked, 'path'>,
  parsed: ParsedRequest | undefined,
  error: unknown,
): Promise<unknown> {
  const { body: schema }: OperationDeclaration = everyOperation[asked.id];
  if (!(error instanceof Problem) || !parsed || !schema) return error;
  const told = error.ofFields;
  if (told.length === 0) return error;
  const all = await allProblems({ ...asked, path: parsed.path }, schema, parsed.body, told);
  return all.length > told.length ? invalidFields(all) : error;
}

/**
 * The references of a refused body to records that the organization does not have or its sender may not see, so that
 * the caller learns of them together with what else is wrong (rule bodies 9). A value that was refused itself is not
 * looked into, and not more is looked up than an answer names. A body that is well-formed is checked by its verb.
 */
async function missingReferences(
  context: Reading<Actor>,
  schema: z.ZodObject,
  value: unknown,
  refused: readonly FieldProblem[],
): Promise<FieldProblem[]> {
  const refusedPaths = new Set(refused.map(({ path }) => path));
  const mentions = mentionsIn(schema, value, [], refusedPaths).slice(0, limits.failingFields);
  if (mentions.length === 0) return [];
  const missing: Mention[] = [];
  for (const [reference, group] of Map.groupBy(mentions, (mention) => mention.reference)) {
    const ids = group.map(({ id }) => id);
    const known = await presentAmong(context, reference, ids);
    missing.push(...group.filter(({ id }) => !known.has(id)));
  }
  return missing.map(notFoundAt);
}

async function presentAmong(
  context: Reading<Actor>,
  reference: ReferenceName,
  ids: readonly string[],
): Promise<{ has(id: string): boolean }> {
  if (isRecordReference(reference)) return nameableAmong(context, reference, ids);
  const place = places[reference];
  if ('referenceData' in place) return (await context.referenceData())[place.referenceData];
  const { sql, organization } = context;
  const { table, column = 'id' } = place;
  const rows = await sql<{ id: string }[]>`
    select distinct ${sql(column)} as id from ${sql(table)}
    where organization_id = ${organization} and ${sql(column)} = any(${ids}::uuid[])`;
  return new Set(rows.map(({ id }) => id));
}
