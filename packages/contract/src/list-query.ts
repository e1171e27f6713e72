import * as z from 'zod';
import { bareSchema, describe } from './field.ts';
import { limits } from './limits.ts';
import type { OperationDeclaration } from './operation.ts';
import * as field from './scalars.ts';
import { type Text, text } from './text.ts';

const common = {
  limit: describe(z.int().min(1).max(limits.pageSizeMaximum), {
    label: text('Limit', 'Počet'),
    help: text(
      `Number of records on a page, ${limits.pageSizeDefault} when not given.`,
      `Počet záznamov na stránke, ${limits.pageSizeDefault} ak sa neuvedie.`,
    ),
    example: limits.pageSizeDefault,
    default: limits.pageSizeDefault,
  }).optional(),
  // Any text at all: what is no cursor of ours is told so by its own error.
  cursor: describe(z.string(), {
    label: text('Cursor', 'Kurzor'),
    help: text(
      'next_cursor of the page before; all other parameters must stay the same.',
      'next_cursor z predchádzajúcej stránky; ostatné parametre musia ostať rovnaké.',
    ),
    minLength: 1,
    maxLength: limits.cursorLength,
  }).optional(),
  created_after: field
    .dateTime({
      label: text('Created After', 'Vytvorené po'),
      help: text('Only records created after this moment.', 'Len záznamy vytvorené po tomto okamihu.'),
      example: '2026-09-01T00:00:00.000Z',
    })
    .optional(),
  created_before: field
    .dateTime({
      label: text('Created Before', 'Vytvorené pred'),
      help: text('Only records created before this moment.', 'Len záznamy vytvorené pred týmto okamihom.'),
      example: '2026-10-01T00:00:00.000Z',
    })
    .optional(),
  updated_since: field
    .dateTime({
      label: text('Updated Since', 'Zmenené od'),
      help: text(
        'Only records updated at this moment or later.',
        'Len záznamy zmenené v tomto okamihu alebo neskôr.',
      ),
      example: '2026-09-01T00:00:00.000Z',
    })
    .optional(),
  updated_before: field
    .dateTime({
      label: text('Updated Before', 'Zmenené pred'),
      help: text('Only records updated before this moment.', 'Len záznamy zmenené pred týmto okamihom.'),
      example: '2026-10-01T00:00:00.000Z',
    })
    .optional(),
};

/** The query of a list that answers everything on one page unless a limit is asked for. */
export const wholeListQuery = z.strictObject({
  limit: describe(z.int().min(1).max(limits.pageSizeMaximum), {
    label: text('Limit', 'Počet'),
    help: text(
      'Number of records on a page; all when not given.',
      'Počet záznamov na stránke; všetky, ak sa neuvedie.',
    ),
    example: limits.pageSizeDefault,
  }).optional(),
  cursor: common.cursor,
});

/** A sort as clients write it: the field, or `-` and the field for descending. */
export type SortOf<Field extends string> = Field | `-${Field}`;

/**
 * The query of a list: the common parameters, the list's own filters, its sorts besides `created_at` and
 * `updated_at`.
 */
export function listQuery<Filters extends z.core.$ZodLooseShape, const Sort extends string = never>(
  filters: Filters,
  sorts: readonly Sort[] = [],
) {
  const fields = ['created_at', 'updated_at', ...sorts] as const;
  const values = fields.flatMap((each) => [each, `-${each}`]) as [
    SortOf<Sort | 'created_at' | 'updated_at'>,
    ...SortOf<Sort | 'created_at' | 'updated_at'>[],
  ];
  const sort = describe(z.enum(values), {
    label: text('Sort', 'Zoradenie'),
    help: text(
      'Field to sort by; a leading - means descending. -created_at when not given.',
      'Pole, podľa ktorého sa zoradí; znak - na začiatku znamená zostupne. -created_at, ak sa neuvedie.',
    ),
    example: '-created_at',
    default: '-created_at',
  }).optional();
  return z.strictObject({ ...common, sort, ...filters });
}

/** The names of the parameters that every list has; the rest are its filters. */
export const commonListParameters: readonly string[] = [...Object.keys(common), 'sort'];

/** What a parameter chooses from: the values of an enumeration, or records by their ids. */
type Chosen = z.ZodEnum | z.ZodUUID;

/** No filters, though they are chosen from values. */
type NoFilter = 'sort' | 'include' | 'by';

/**
 * A filter that is chosen from values or by id takes several of them: a record that has any is listed (rule lists
 * 17).
 */
export type WithSeveral<Shape extends z.core.$ZodShape> = {
  [Name in keyof z.output<z.ZodObject<Shape>>]: Name extends NoFilter
    ? z.output<z.ZodObject<Shape>>[Name]
    : Name extends keyof Shape
      ? Shape[Name] extends z.ZodOptional<Chosen>
        ? z.output<Shape[Name]> | readonly NonNullable<z.output<Shape[Name]>>[]
        : z.output<z.ZodObject<Shape>>[Name]
      : never;
};

/** Whether the parameter of this name takes several values, separated by commas: a filter of a {@link listQuery}. */
export function takesSeveral({ kind, query }: OperationDeclaration, name: string): boolean {
  const field = query && Object.hasOwn(query.shape, name) ? query.shape[name] : undefined;
  if (kind !== 'list' || !field || !query || !Object.hasOwn(query.shape, 'sort')) return false;
  if (name === 'sort' || name === 'include' || name === 'by') return false;
  const { bare } = bareSchema(field);
  return bare instanceof z.ZodEnum || bare instanceof z.ZodUUID;
}

/** The filter `q`, with what somebody would look for in such a list. */
export const search = (help: Text, example: string) =>
  field.string({ label: text('Search', 'Hľadať'), help, example }).optional();
