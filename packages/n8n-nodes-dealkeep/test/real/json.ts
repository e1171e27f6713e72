/** The value at a path of keys; undefined when something on the way is missing. */
export function at(value: unknown, ...path: (string | number)[]): unknown {
  return path.reduce<unknown>(
    (inner, key) => (typeof inner === 'object' && inner !== null ? Reflect.get(inner, key) : undefined),
    value,
  );
}

/** A text at a path; fails the test when there is none. */
export function textAt(value: unknown, ...path: (string | number)[]): string {
  const found = at(value, ...path);
  if (typeof found !== 'string') throw new Error(`No text at ${path.join('.')} in ${JSON.stringify(value)}`);
  return found;
}

/** A list at a path; fails the test when there is none. */
export function listAt(value: unknown, ...path: (string | number)[]): unknown[] {
  const found = at(value, ...path);
  if (!Array.isArray(found)) throw new Error(`No list at ${path.join('.')} in ${JSON.stringify(value)}`);
  return found;
}
