import { expect } from 'vitest';

/**
 * Fails unless both have the same keys in the same order; what is null or empty in one has none below to compare.
 */
export function expectSameKeys(one: object, other: object): void {
  expect(Object.keys(one)).toEqual(Object.keys(other));
  expect(keysOf(one).filter((key) => !isBelow(key, emptyIn(other)))).toEqual(
    keysOf(other).filter((key) => !isBelow(key, emptyIn(one))),
  );
}

/** The paths of all values within a value; of arrays by their first item. */
function* pathsIn(value: unknown, path = ''): Generator<[path: string, value: unknown]> {
  yield [path, value];
  if (Array.isArray(value)) {
    if (value.length > 0) yield* pathsIn(value[0], `${path}[]`);
  } else if (typeof value === 'object' && value !== null) {
    for (const [key, inner] of Object.entries(value)) yield* pathsIn(inner, `${path}.${key}`);
  }
}
const keysOf = (value: unknown): string[] => [...pathsIn(value)].map(([path]) => path);
const isEmpty = (value: unknown): boolean =>
  value === null || (typeof value === 'object' && Object.keys(value).length === 0);
const emptyIn = (value: unknown): string[] =>
  [...pathsIn(value)].flatMap(([path, inner]) => (isEmpty(inner) ? [path] : []));
const isBelow = (key: string, paths: readonly string[]): boolean =>
  paths.some((path) => key.startsWith(`${path}.`) || key.startsWith(`${path}[]`));
