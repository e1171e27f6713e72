import * as z from 'zod';
import { bareSchema, descriptionOf } from './field.ts';
import { type FieldProblem, fieldProblems, pathText } from './field-problem.ts';

/** What a value is by the contract, or what is wrong with it. */
export type Checked<Output> =
  | { readonly data: Output; readonly problems?: never }
  | { readonly problems: readonly FieldProblem[] };

/**
 * Checks a value by a schema of the contract. An array or a dictionary that is too long is refused without a look at
 * its entries, so that the work depends on what the contract takes and not on what somebody sends.
 */
export function checkValue<Schema extends z.ZodType>(
  schema: Schema,
  value: unknown,
): Checked<z.output<Schema>> {
  const unparsed: FieldProblem[] = [];
  const bounded = withoutLongLists(schema, value, [], unparsed);
  const parsed = schema.safeParse(bounded);
  if (parsed.success && unparsed.length === 0) return { data: parsed.data };
  const named = new Set(unparsed.map(({ path }) => path));
  const others = parsed.success ? [] : fieldProblems(parsed.error, bounded);
  return { problems: [...unparsed, ...others.filter(({ path }) => !named.has(path))] };
}

/**
 * The value itself, or a copy in which each array and each dictionary that is too long is empty.
 *
 * @param unparsed gets the problems that the schema does not come to see
 */
function withoutLongLists(
  schema: z.core.$ZodType,
  value: unknown,
  path: readonly PropertyKey[],
  unparsed: FieldProblem[],
): unknown {
  const { bare } = bareSchema(schema);
  if (bare instanceof z.ZodArray && Array.isArray(value)) {
    const most = longestOf(bare);
    if (value.length > most) {
      unparsed.push({ path: pathText(path), key: 'field.too_many', values: { max: String(most) } });
      return [];
    }
    return replaced(value, value.entries(), (item, index) =>
      withoutLongLists(bare.element, item, [...path, index], unparsed),
    );
  }
  if (bare instanceof z.ZodObject && typeof value === 'object' && value !== null) {
    const known = Object.entries(bare.shape).filter(([name]) => Object.hasOwn(value, name));
    const fields = known.map(([name]) => [name, Reflect.get(value, name)] as const);
    return replaced(value, fields, (inner, name) =>
      withoutLongLists(bare.shape[name] ?? z.never(), inner, [...path, name], unparsed),
    );
  }
  if (bare instanceof z.ZodRecord && typeof value === 'object' && value !== null) {
    const { maxEntries: most = Number.POSITIVE_INFINITY } = descriptionOf(schema) ?? {};
    if (Object.keys(value).length > most) {
      unparsed.push({ path: pathText(path), key: 'field.too_many', values: { max: String(most) } });
      return {};
    }
  }
  // zod passes over this key of a record in silence, and a value would be lost.
  if (bare instanceof z.ZodRecord && Object.hasOwn(Object(value), '__proto__')) {
    unparsed.push({ path: pathText([...path, '__proto__']), key: 'field.unknown' });
  }
  return value;
}

/** The whole itself where no part changes, else a copy of it. */
function replaced<Whole extends object, Key extends PropertyKey>(
  whole: Whole,
  parts: Iterable<readonly [Key, unknown]>,
  replacement: (part: unknown, key: Key) => unknown,
): Whole {
  let copy: Whole | undefined;
  for (const [key, part] of parts) {
    const other = replacement(part, key);
    if (other === part) continue;
    copy ??= (Array.isArray(whole) ? [...whole] : { ...whole }) as Whole;
    Reflect.set(copy, key, other);
  }
  return copy ?? whole;
}

/** How many elements an array of the contract may have; any number where it says none. */
export function longestOf(schema: z.ZodArray): number {
  for (const check of schema._zod.def.checks ?? []) {
    const { check: kind, maximum } = check._zod.def as { check: string; maximum?: unknown };
    if (kind === 'max_length' && typeof maximum === 'number') return maximum;
  }
  return Number.POSITIVE_INFINITY;
}
