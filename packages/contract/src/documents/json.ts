import type { JsonSchema } from '../openapi/schema.ts';

/** A part of a document that is an object; anything else has no members. */
export const objectOf = (value: unknown): JsonSchema =>
  typeof value === 'object' && value !== null && !Array.isArray(value) ? { ...value } : {};

/** A part of a document that is a list of objects. */
export const listOf = (value: unknown): JsonSchema[] => (Array.isArray(value) ? value.map(objectOf) : []);

/** A text of a document; empty where there is none. */
export const textOf = (value: unknown): string => (typeof value === 'string' ? value : '');

/** The same object with each of its members made anew; those that become undefined are left out. */
export const mapMembers = (
  object: unknown,
  change: (value: unknown, key: string) => unknown,
): Record<string, unknown> =>
  Object.fromEntries(
    Object.entries(objectOf(object))
      .map(([key, value]): [string, unknown] => [key, change(value, key)])
      .filter(([, value]) => value !== undefined),
  );

/** The named parts of a document that another part refers to, also through each other. */
export function referredTo(part: unknown, named: Readonly<Record<string, unknown>>): Record<string, unknown> {
  const found = new Set<string>();
  const look = (value: unknown): void => {
    if (Array.isArray(value)) value.forEach(look);
    else if (typeof value === 'object' && value !== null) {
      for (const [key, inner] of Object.entries(value)) {
        if (key === '$ref') follow(nameIn(textOf(inner)));
        else look(inner);
      }
    }
  };
  const follow = (name: string): void => {
    if (found.has(name) || !Object.hasOwn(named, name)) return;
    found.add(name);
    look(named[name]);
  };
  look(part);
  return Object.fromEntries(Object.entries(named).filter(([name]) => found.has(name)));
}

/** `Company` of `#/components/schemas/Company` */
export const nameIn = (reference: string): string => reference.split('/').at(-1) ?? '';
