import { bareSchema, type OperationDeclaration, operations } from '@dealkeep/contract';
import * as z from 'zod';
import type { GeneratedOperation } from './resource-operations.ts';
import { camelCase } from './wording.ts';

type JsonSchema = { [key: string]: unknown };

/** Counted up when the shape changes, so that n8n's editor can tell schemas apart. */
const schemaVersion = 1;

/**
 * Where n8n looks for the shape of an operation's items, to offer their fields before the node has run: a folder
 * beside the node, with the version of the node as three numbers.
 */
export const schemaPath = ({ resource, value }: GeneratedOperation): string =>
  `Dealkeep/__schema__/v1.0.0/${camelCase(resource)}/${value}.json`;

/** One item of an operation's output, as it is unless "Output" is changed. */
export function outputSchema({ id, table }: GeneratedOperation): JsonSchema {
  const declaration: OperationDeclaration = operations[id];
  const { answer } = declaration;
  if (!answer)
    return { type: 'object', properties: { deleted: { type: 'boolean' } }, version: schemaVersion };
  const { bare } = bareSchema(answer);
  const item = bare instanceof z.ZodArray ? bareSchema(bare.element).bare : bare;
  if (!(item instanceof z.ZodObject)) throw new Error(`${id} does not answer objects`);
  const fields = table.simplified ?? Object.keys(item.shape);
  return { ...objectSchema(item, fields), version: schemaVersion };
}

const objectSchema = (bare: z.ZodObject, fields: readonly string[]): JsonSchema => ({
  type: 'object',
  properties: Object.fromEntries(
    Object.entries(bare.shape)
      .filter(([name]) => fields.includes(name))
      .map(([name, field]) => [name, fieldSchema(field)]),
  ),
});

/** n8n's editor unfolds objects and lists only when their type stands alone, so "or null" is said of scalars. */
function fieldSchema(field: z.core.$ZodType): JsonSchema {
  const { bare, nullable } = bareSchema(field);
  if (bare instanceof z.ZodObject) return objectSchema(bare, Object.keys(bare.shape));
  if (bare instanceof z.ZodArray) return { type: 'array', items: fieldSchema(bare.element) };
  if (bare instanceof z.ZodRecord) return { type: 'object' };
  const type = z.toJSONSchema(bare, { io: 'output', unrepresentable: 'any' }).type ?? 'object';
  return { type: nullable ? [type, 'null'] : type };
}
