/** A JSON object whose fields nobody has looked at yet. */
export type ApiRecord = Readonly<Record<string, unknown>>;

/** True for JSON objects, false for arrays and null. */
export function isApiRecord(value: unknown): value is ApiRecord {
  return typeof value === 'object' && value !== null && !Array.isArray(value);
}

/**
 * What stands at a path inside a record; undefined where the way ends early, and for what only its prototype has.
 */
export function valueAt(value: unknown, path: readonly string[]): unknown {
  return path.reduce<unknown>(
    (inner, key) => (isApiRecord(inner) && Object.hasOwn(inner, key) ? inner[key] : undefined),
    value,
  );
}
