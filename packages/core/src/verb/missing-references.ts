import {
  bareSchema,
  descriptionOf,
  type FieldProblem,
  pathText,
  type ReferenceName,
} from '@dealkeep/contract';
import * as z from 'zod';
import type { Directory } from '../directory/directory.ts';
import type { Reading } from './verb.ts';

interface Mention {
  readonly path: readonly PropertyKey[];
  readonly reference: ReferenceName;
  readonly id: string;
}

/**
 * The references of a refused body to records that the organization does not have, so that the caller learns of them
 * together with what else is wrong (decisions, section 3). A body that is well-formed is checked by its verb.
 */
export async function missingReferences(
  { core, sql, organization }: Pick<Reading, 'core' | 'sql' | 'organization'>,
  schema: z.ZodObject,
  value: unknown,
): Promise<FieldProblem[]> {
  const mentions = mentionsIn(schema, value, []);
  if (mentions.length === 0) return [];
  const directory = await core.directories.current(sql, organization);
  const known = new Set<string>();
  for (const { id, reference } of mentions) if (directoryOf(directory, reference)?.has(id)) known.add(id);
  for (const [reference, table] of Object.entries(tables)) {
    const ids = mentions.filter((each) => each.reference === reference).map(({ id }) => id);
    if (ids.length === 0) continue;
    const rows = await sql<{ id: string }[]>`
      select id from ${sql(table)} where organization_id = ${organization} and id = any(${ids}::uuid[])`;
    for (const { id } of rows) known.add(id);
  }
  return mentions
    .filter(({ id }) => !known.has(id))
    .map(({ path }) => ({ path: pathText(path), key: 'field.not_found' }));
}

const tables = { company: 'companies', contact: 'contacts', lead: 'leads' } as const;

function directoryOf(
  directory: Directory,
  reference: ReferenceName,
): ReadonlyMap<string, unknown> | undefined {
  switch (reference) {
    case 'user':
      return directory.users;
    case 'pipeline':
      return directory.pipelines;
    case 'stage':
      return directory.stages;
    case 'lead-origin':
      return directory.origins;
    case 'lost-reason':
      return directory.lostReasons;
    default:
      return undefined;
  }
}

/** Every id in a value that names a record, where the contract says that one stands. */
function mentionsIn(schema: z.core.$ZodType, value: unknown, path: readonly PropertyKey[]): Mention[] {
  const { bare } = bareSchema(schema);
  if (bare instanceof z.ZodObject) {
    if (typeof value !== 'object' || value === null) return [];
    return Object.entries(bare.shape).flatMap(([name, field]) =>
      Object.hasOwn(value, name) ? mentionsIn(field, Reflect.get(value, name), [...path, name]) : [],
    );
  }
  if (bare instanceof z.ZodArray) {
    if (!Array.isArray(value)) return [];
    return value.flatMap((item: unknown, index) => mentionsIn(bare.element, item, [...path, index]));
  }
  const reference = descriptionOf(schema)?.reference;
  const id = reference ? z.safeParse(bare, value).data : undefined;
  return reference && typeof id === 'string' ? [{ path, reference, id }] : [];
}
