import * as z from 'zod';
import { describe } from './field.ts';
import { limits } from './limits.ts';
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
    maxLength: limits.cursorLength,
  }).optional(),
  created_after: field
    .dateTime({
      label: text('Created After', 'Vytvorené po'),
      help: text('Only records created after this moment.', 'Len záznamy vytvorené po tomto okamihu.'),
      example: '2026-09-01T00:00:00.000Z',
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
};

/** A sort as clients write it: the field, or `-` and the field for descending. */
export type SortOf<Field extends string> = Field | `-${Field}`;

/** The query of a list: the common parameters, the list's own filters, its sorts besides `created_at` and `updated_at`. */
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

/** The filter `q`, with what somebody would look for in such a list. */
export const search = (help: Text, example: string) =>
  field.string({ label: text('Search', 'Hľadať'), help, example }).optional();
