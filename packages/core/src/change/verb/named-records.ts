import {
  bareSchema,
  type FieldProblem,
  isRecordReference,
  limits,
  type OperationDeclaration,
  pathText,
  type ReferenceName,
  referenceOfField,
} from '@dealkeep/contract';
import * as z from 'zod';
import { invalidFields } from '../../foundations/problem.ts';
import type { ParsedRequest } from './parse-request.ts';
import { isLimited, isWhollyNameable, type Looking, nameableAmong } from './sight.ts';

/** A record that a body names. */
export interface Mention {
  readonly path: readonly PropertyKey[];
  readonly reference: ReferenceName;
  readonly id: string;
}

/**
 * The request as an actor can send it whose role limits what it sees (rule scopes 13): what it may not see is not
 * there. In a body such a record is no more found than one that does not exist; as a filter it finds nothing. Every
 * field that the contract calls a reference is judged. Raises VALIDATION_ERROR.
 */
export async function withNamedRecords(
  looking: Looking,
  { body, query }: OperationDeclaration,
  parsed: ParsedRequest,
): Promise<ParsedRequest> {
  if (!isLimited(looking.actor)) return parsed;
  if (body && parsed.body) {
    const missing = await unnameable(looking, mentionsIn(body, parsed.body));
    if (missing.length > 0) throw invalidFields(missing.slice(0, limits.failingFields).map(notFoundAt));
  }
  if (!query || !parsed.query) return parsed;
  const missing = await unnameable(looking, mentionsIn(query, parsed.query));
  return missing.length === 0 ? parsed : { ...parsed, query: without(parsed.query, missing) };
}

export const notFoundAt = ({ path }: Mention): FieldProblem => ({
  path: pathText(path),
  key: 'field.not_found',
});

/** Which mentions are of records that the actor cannot name, existing or not. */
async function unnameable(looking: Looking, mentions: readonly Mention[]): Promise<readonly Mention[]> {
  const missing: Mention[] = [];
  for (const [reference, group] of Map.groupBy(mentions, (mention) => mention.reference)) {
    if (!isRecordReference(reference) || isWhollyNameable(looking.actor, reference)) continue;
    const known = await nameableAmong(
      looking,
      reference,
      group.map(({ id }) => id),
    );
    missing.push(...group.filter(({ id }) => !known.has(id)));
  }
  return missing;
}

/** No record has it. */
const nobody = '00000000-0000-0000-0000-000000000000';

/** A query whose values for these records find nothing. */
function without(query: unknown, missing: readonly Mention[]): unknown {
  const unseen = new Set(missing.map(({ path, id }) => `${String(path[0])} ${id}`));
  return Object.fromEntries(
    Object.entries(Object(query)).map(([name, value]) => {
      const one = (each: unknown): unknown => (unseen.has(`${name} ${String(each)}`) ? nobody : each);
      return [name, Array.isArray(value) ? value.map(one) : one(value)];
    }),
  );
}

/** Every id in a value that names a record, where the contract says that one stands. */
export function mentionsIn(
  schema: z.core.$ZodType,
  value: unknown,
  path: readonly PropertyKey[] = [],
  refusedPaths: ReadonlySet<string> = new Set(),
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
  // A filter may be given several values.
  const several = bare instanceof z.ZodArray ? bare.element : schema;
  if (Array.isArray(value)) return value.flatMap((item: unknown, index) => inner(several, item, index));
  if (bare instanceof z.ZodArray) return [];
  const reference = referenceOfField(schema);
  const id = reference ? z.safeParse(bare, value).data : undefined;
  return reference && typeof id === 'string' ? [{ path, reference, id }] : [];
}
