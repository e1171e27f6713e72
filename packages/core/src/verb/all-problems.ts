import {
  bareSchema,
  descriptionOf,
  everyOperation,
  type FieldProblem,
  limits,
  type OperationDeclaration,
  pathText,
  type ReferenceName,
} from '@dealkeep/contract';
import * as z from 'zod';
import type { Actor } from '../credentials/credential.ts';
import { invalidFields, Problem } from '../problem.ts';
import { furtherOf, type VerbId } from '../verbs.ts';
import { withFurther } from './check-input.ts';
import type { ParsedRequest } from './parse-request.ts';
import { places } from './record-places.ts';
import type { Reading, Scope } from './verb.ts';

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
  const find = furtherOf(id, context, path);
  const known = [...refused, ...missing];
  return find ? withFurther(schema, value, known, find) : known;
}

/**
 * A verb stops at the first check that fails, some of which come after others. Where that was about fields, all that is
 * wrong besides is found, so that it is not told in one round after the other. A single problem keeps its own code.
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

interface Mention {
  readonly path: readonly PropertyKey[];
  readonly reference: ReferenceName;
  readonly id: string;
}

/**
 * The references of a refused body to records that the organization does not have, so that the caller learns of them
 * together with what else is wrong (rule bodies 9). A value that was refused itself is not looked into, and
 * not more is looked up than an answer names. A body that is well-formed is checked by its verb.
 */
async function missingReferences(
  context: Pick<Scope, 'sql' | 'organization' | 'directory'>,
  schema: z.ZodObject,
  value: unknown,
  refused: readonly FieldProblem[],
): Promise<FieldProblem[]> {
  const refusedPaths = new Set(refused.map(({ path }) => path));
  const mentions = mentionsIn(schema, value, [], refusedPaths).slice(0, limits.failingFields);
  if (mentions.length === 0) return [];
  const directory = await context.directory();
  const missing: Mention[] = [];
  for (const [reference, group] of Map.groupBy(mentions, (mention) => mention.reference)) {
    const place = places[reference];
    const known =
      'directory' in place
        ? directory[place.directory]
        : await presentIn(
            place,
            context,
            group.map(({ id }) => id),
          );
    missing.push(...group.filter(({ id }) => !known.has(id)));
  }
  return missing.map(({ path }) => ({ path: pathText(path), key: 'field.not_found' }));
}

async function presentIn(
  { table, column = 'id' }: { table: string; column?: string },
  { sql, organization }: Pick<Scope, 'sql' | 'organization'>,
  ids: readonly string[],
): Promise<ReadonlySet<string>> {
  const rows = await sql<{ id: string }[]>`
    select distinct ${sql(column)} as id from ${sql(table)}
    where organization_id = ${organization} and ${sql(column)} = any(${ids}::uuid[])`;
  return new Set(rows.map(({ id }) => id));
}

/** Every id in a value that names a record, where the contract says that one stands. */
function mentionsIn(
  schema: z.core.$ZodType,
  value: unknown,
  path: readonly PropertyKey[],
  refusedPaths: ReadonlySet<string>,
): Mention[] {
  if (path.length > 0 && refusedPaths.has(pathText(path))) return [];
  const inner = (field: z.core.$ZodType, item: unknown, key: PropertyKey) =>
    mentionsIn(field, item, [...path, key], refusedPaths);
  const { bare } = bareSchema(schema);
  if (bare instanceof z.ZodObject) {
    if (typeof value !== 'object' || value === null) return [];
    return Object.entries(bare.shape).flatMap(([name, field]) =>
      Object.hasOwn(value, name) ? inner(field, Reflect.get(value, name), name) : [],
    );
  }
  if (bare instanceof z.ZodArray) {
    if (!Array.isArray(value)) return [];
    return value.flatMap((item: unknown, index) => inner(bare.element, item, index));
  }
  const reference = descriptionOf(schema)?.reference;
  const id = reference ? z.safeParse(bare, value).data : undefined;
  return reference && typeof id === 'string' ? [{ path, reference, id }] : [];
}
