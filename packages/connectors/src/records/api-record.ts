import { isObject } from '@dealkeep/client/transport';

/** A JSON object whose fields are not checked yet. */
export type ApiRecord = Readonly<Record<string, unknown>>;

export const isApiRecord: (value: unknown) => value is ApiRecord = isObject;

/**
 * What stands at a path inside a record; undefined where the way ends early, and for what only its prototype has.
 */
export function valueAt(value: unknown, path: readonly string[]): unknown {
  return path.reduce<unknown>(
    (inner, key) => (isApiRecord(inner) && Object.hasOwn(inner, key) ? inner[key] : undefined),
    value,
  );
}
