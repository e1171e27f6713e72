import type { FieldFacts } from '@dealkeep/contract';

/**
 * The field that describes a new record where a sibling names one that exists: `company` beside `company_id`. Both
 * are one choice: the new one is folded away below the search until somebody wants it.
 */
export const inlineOf = (
  fields: readonly FieldFacts[],
  { name, isArray }: FieldFacts,
): FieldFacts | undefined =>
  isArray
    ? undefined
    : fields.find((each) => each.type === 'object' && !each.isArray && `${each.name}_id` === name);

/** Whether a field stands below the search of its sibling. */
export const isInline = (fields: readonly FieldFacts[], field: FieldFacts): boolean =>
  fields.some((each) => each.reference !== undefined && inlineOf(fields, each) === field);
