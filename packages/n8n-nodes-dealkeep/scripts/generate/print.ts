import { Call, Identifier } from './property.ts';

/** A constant with more fields: `{ ...name, … }`. */
export class Spread {
  readonly base: Identifier;
  readonly more: object;
  constructor(base: Identifier, more: object) {
    this.base = base;
    this.more = more;
  }
}

/** A value as TypeScript source, on one line. */
export function print(value: unknown): string {
  if (value instanceof Identifier) return value.member ? `${value.name}.${value.member}` : value.name;
  if (typeof value === 'string') return quote(value);
  if (typeof value !== 'object' || value === null) return String(value);
  if (value instanceof Spread) return `{ ...${value.base.name}, ${fieldsOf(value.more).join(', ')} }`;
  if (value instanceof Call) return `${value.name}(${value.values.map(print).join(', ')})`;
  if (Array.isArray(value)) return `[${value.map(print).join(', ')}]`;
  const fields = fieldsOf(value);
  return fields.length === 0 ? '{}' : `{ ${fields.join(', ')} }`;
}

const fieldsOf = (value: object): string[] =>
  Object.entries(value)
    .filter(([, each]) => each !== undefined)
    .map(([key, each]) => `${keyOf(key)}: ${print(each)}`);

const keyOf = (key: string): string => (/^[A-Za-z_$][\w$]*$/.test(key) ? key : quote(key));

const quote = (text: string): string =>
  `'${text.replaceAll('\\', '\\\\').replaceAll("'", "\\'").replaceAll('\n', '\\n')}'`;

/**
 * A long table as TypeScript source: a line for each entry, and for each entry of those as deep as is asked for.
 * Deeper indentation would be a tenth of the package.
 */
export function printLines(value: unknown, depth = 1): string {
  const parts = Array.isArray(value)
    ? value.map((each) => inner(each, depth))
    : Object.entries(Object(value)).map(([key, each]) => `${keyOf(key)}: ${inner(each, depth)}`);
  const [open, close] = Array.isArray(value) ? ['[', ']'] : ['{', '}'];
  return `${open}\n${parts.map((part) => `  ${part.replaceAll('\n', '\n  ')},\n`).join('')}${close}`;
}

const inner = (value: unknown, depth: number): string =>
  depth > 1 ? printLines(value, depth - 1) : print(value);

/** The constants of other generated files that a value names. */
export const identifiersIn = (value: unknown): Identifier[] =>
  partsOf(value).filter((each) => each instanceof Identifier);

/** The functions of the nodes that a value calls, by their names. */
export const callsIn = (value: unknown): string[] => [
  ...new Set(partsOf(value).flatMap((each) => (each instanceof Call ? [each.name] : []))),
];

/** Constants and calls, wherever they stand in a value. */
function partsOf(value: unknown): (Identifier | Call)[] {
  if (value instanceof Identifier || value instanceof Call) return [value];
  if (typeof value !== 'object' || value === null) return [];
  return Object.values(value).flatMap(partsOf);
}
