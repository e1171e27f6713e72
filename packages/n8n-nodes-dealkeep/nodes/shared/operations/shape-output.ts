import { isRecord, type JsonRecord } from '../record.ts';

/** How much of a record is asked for. */
export type OutputChoice =
  | { readonly output: 'simplified' | 'raw' }
  | { readonly output: 'selectedFields'; readonly fields: readonly string[] };

/**
 * A record as the node gives it out. Fields keep their names and shapes in every form, so expressions written for
 * one form work in the others.
 */
export function shapeOutput(
  record: unknown,
  choice: OutputChoice,
  simplified: readonly string[] | undefined,
): JsonRecord {
  if (!isRecord(record)) return {};
  if (choice.output === 'raw' || simplified === undefined) return record;
  const kept = choice.output === 'selectedFields' ? choice.fields : simplified;
  return Object.fromEntries(
    kept.filter((name) => Object.hasOwn(record, name)).map((name) => [name, record[name]]),
  );
}
