import { bareSchema, checkValue, type FieldProblem, pathText } from '@dealkeep/contract';
import * as z from 'zod';
import { invalidFields } from '../../foundations/problem.ts';

/** Checks by the contract what a change that it declares no operation for was given. Raises VALIDATION_ERROR. */
export function checkInput<Schema extends z.ZodType>(
  schema: Schema,
  input: z.input<Schema>,
): z.output<Schema> {
  const checked = checkValue(schema, input);
  if (checked.problems) throw invalidFields(checked.problems);
  return checked.data;
}

/** Checks it; of what the contract refuses, whatever else is wrong with it is told as well. */
export async function checkInputThroughout<Schema extends z.ZodType>(
  schema: Schema,
  input: z.input<Schema>,
  judge: JudgeBody<z.output<Schema>>,
): Promise<z.output<Schema>> {
  const checked = checkValue(schema, input);
  if (checked.problems) throw invalidFields(await withProblemsLeft(schema, input, checked.problems, judge));
  return checked.data;
}

/** What is left of a value without the fields that the contract refused; elements of an array keep their place. */
export type ValidPart<Value> = Value extends readonly (infer Element)[]
  ? readonly (ValidPart<Element> | undefined)[]
  : Value extends object
    ? { readonly [Name in keyof Value]?: ValidPart<Value[Name]> }
    : Value;

/** A body as a check is given it: all of it, or what is left of one of which something was refused. */
export interface SentBody<Value> {
  readonly body: ValidPart<Value>;
  /** Whether nothing was refused. */
  readonly isWhole: boolean;
  /** Whether a field was refused, or what it stands in. What is not in the body may as well be absent. */
  isRefused(path: string): boolean;
}

/** Finds what is wrong with what is left of a body. Writes nothing. */
export type JudgeBody<Value> = (left: SentBody<Value>) => Promise<readonly FieldProblem[]>;

/**
 * What is refused of a body, and what is wrong with what is left of it, so that its sender learns of everything at
 * once; one problem for a field, the first.
 */
export async function withProblemsLeft<Schema extends z.ZodType>(
  schema: Schema,
  value: unknown,
  refused: readonly FieldProblem[],
  judge: JudgeBody<z.output<Schema>>,
): Promise<FieldProblem[]> {
  const paths = new Set(refused.map(({ path }) => path));
  // What stands at each path was checked by the schema of that path, which is what the type says.
  const body = validPart(schema, value, [], paths) as ValidPart<z.output<Schema>>;
  const isRefused = (path: string): boolean => ancestorsOf(path).some((each) => paths.has(each));
  const all = new Map(refused.map((each) => [each.path, each]));
  for (const each of await judge({ body, isWhole: paths.size === 0, isRefused })) {
    if (!isRefused(each.path) && !all.has(each.path)) all.set(each.path, each);
  }
  return [...all.values()];
}

/** `items`, `items[0]` and `items[0].sku` of the last of them. */
const ancestorsOf = (path: string): string[] => [
  ...[...path.matchAll(/[.[]/g)].map(({ index }) => path.slice(0, index)),
  path,
];

function validPart(
  schema: z.core.$ZodType,
  value: unknown,
  path: readonly PropertyKey[],
  refused: ReadonlySet<string>,
): unknown {
  if (path.length > 0 && refused.has(pathText(path))) return undefined;
  const { bare } = bareSchema(schema);
  if (bare instanceof z.ZodObject && typeof value === 'object' && value !== null) {
    const known = Object.entries(bare.shape).filter(([name]) => Object.hasOwn(value, name));
    return Object.fromEntries(
      known.map(([name, field]) => [
        name,
        validPart(field, Reflect.get(value, name), [...path, name], refused),
      ]),
    );
  }
  if (bare instanceof z.ZodArray && Array.isArray(value)) {
    return value.map((item: unknown, index) => validPart(bare.element, item, [...path, index], refused));
  }
  if (bare instanceof z.ZodRecord && typeof value === 'object' && value !== null) {
    const entries = Object.entries(value);
    return Object.fromEntries(
      entries.map(([name, each]) => [name, validPart(bare.valueType, each, [...path, name], refused)]),
    );
  }
  return z.safeParse(schema, value).data;
}
