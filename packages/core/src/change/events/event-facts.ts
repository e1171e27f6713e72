import { type EventType, filteredValuesOf, filtersOfEvent } from '@dealkeep/contract';

/** Values that decide whether a webhook wants an event, by their names. */
export type EventFacts = Readonly<Record<string, readonly string[]>>;

const changed = 'changed_fields';

/**
 * What a webhook can ask about an event: what it can be filtered by, and of an `x.updated` which fields have
 * changed.
 */
export const factsOf = (
  type: EventType,
  data: object,
  changedFields: readonly string[] | undefined,
): EventFacts => ({
  ...Object.fromEntries(
    Object.keys(filtersOfEvent(type)).map((name) => [name, filteredValuesOf(type, name, data)]),
  ),
  ...(changedFields ? { [changed]: changedFields } : {}),
});

/**
 * What must be true of the facts of an event, in the SQL/JSON path language: for each filter one of its values, and
 * one of the watched fields where the event tells of changes at all. Null where anything is wanted.
 */
export function conditionOf(filters: EventFacts | null, watched: readonly string[] | null): string | null {
  const conditions = Object.entries(filters ?? {}).map(([name, values]) => oneOf(name, values));
  if (watched) conditions.push(`(!exists($.${changed}) || ${oneOf(changed, watched)})`);
  return conditions.length > 0 ? conditions.join(' && ') : null;
}

/** Texts of the language are written as those of JSON. */
const oneOf = (name: string, values: readonly string[]): string =>
  `exists($.${name}[*] ? (${values.map((value) => `@ == ${JSON.stringify(value)}`).join(' || ')}))`;
