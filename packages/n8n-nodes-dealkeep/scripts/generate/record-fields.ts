import {
  bareSchema,
  descriptionOf,
  type OperationDeclaration,
  operations,
  type ResourceDeclaration,
  type ResourceName,
  resources,
} from '@dealkeep/contract';
import * as z from 'zod';
import { type Option, sortedOptions } from './property.ts';
import { titleCase } from './wording.ts';

/** n8n's UX rules: an answer of more fields than this is offered in simplified form too. */
const manyFields = 10;

/** The top-level fields of what an operation answers, where it answers records; else none. */
function answerShape(declaration: OperationDeclaration): [string, z.core.$ZodType][] {
  const { answer } = declaration;
  return answer instanceof z.ZodObject ? Object.entries(answer.shape) : [];
}

/**
 * The fields that simplified output keeps; undefined when the record is small enough as it is.
 *
 * They are those that the contract calls the brief of the record, and where it names none the first short ones. Of
 * an operation that tells whether the record was there before, that flag takes the place of the last one before the
 * address.
 */
export function simplifiedFields(
  resource: ResourceName,
  declaration: OperationDeclaration,
): readonly string[] | undefined {
  const shape = answerShape(declaration);
  if (shape.length <= manyFields) return undefined;
  const { brief }: ResourceDeclaration = resources[resource];
  const short = shape.filter(([, schema]) => isShort(schema)).map(([name]) => name);
  const fields = (brief ?? short).filter((name) => shape.some(([each]) => each === name) && !isFlag(name));
  const kept = fields.slice(0, manyFields);
  if (declaration.existingFlag !== undefined) kept.splice(manyFields - 2, 1, declaration.existingFlag);
  return kept;
}

/**
 * The mark of an existing record that was answered instead of a new one: only the operation that makes it has it.
 */
const isFlag = (name: string): boolean =>
  Object.values<OperationDeclaration>(operations).some(({ existingFlag }) => existingFlag === name);

function isShort(schema: z.core.$ZodType): boolean {
  const { bare } = bareSchema(schema);
  return !(bare instanceof z.ZodArray || bare instanceof z.ZodRecord || descriptionOf(schema)?.multiline);
}

/** The fields of a record to choose from, by their labels. */
export function fieldOptions(schema: z.core.$ZodType): Option[] {
  if (!(schema instanceof z.ZodObject)) return [];
  return sortedOptions(
    Object.entries(schema.shape).map(([name, field]) => ({
      name: titleCase(descriptionOf(field)?.label.en ?? name),
      value: name,
    })),
  );
}
