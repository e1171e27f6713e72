import { print, Spread } from './print.ts';
import { Call, Identifier } from './property.ts';
import { camelCase, dynamicMultiOptions } from './wording.ts';

/** Shorter values are written where they are needed: packed, a name takes as much room. */
const longEnough = 150;

/** What the constants of one file are called and typed as, by what they look like. */
export type NameOf = (value: unknown) => { readonly name: string; readonly type?: string } | undefined;

/**
 * Values that occur more than once become constants, so that generated code says everything once. A parameter that
 * is shown for another operation differs in its display options alone: the rest of it is shared.
 *
 * @returns the constants as source, and the value that names them
 */
export function shareValues(value: unknown, nameOf: NameOf): { constants: string[]; value: unknown } {
  const counts = new Map<string, number>();
  count(value, counts);
  const constants: string[] = [];
  const known = new Map<string, Identifier>();
  const taken = new Map<string, number>();

  const shared = (each: unknown): unknown => {
    const key = print(each);
    const names = (counts.get(key) ?? 0) > 1 && key.length >= longEnough ? nameOf(each) : undefined;
    if (!names) return inside(each);
    const found = known.get(key);
    if (found) return found;
    const body = print(inside(each));
    const number = (taken.get(names.name) ?? 0) + 1;
    taken.set(names.name, number);
    const made = new Identifier(`${camelCase(names.name)}${number === 1 ? '' : number}`, '', each);
    known.set(key, made);
    constants.push(`const ${made.name}${names.type ? `: ${names.type}` : ''} = ${body};\n`);
    return made;
  };
  const inside = (each: unknown): unknown => {
    if (Array.isArray(each)) return each.map(shared);
    if (!isPlain(each)) return each;
    const parts = apart(each);
    const base = parts && shared(parts.base);
    if (parts && base instanceof Identifier) {
      return new Spread(base, { displayOptions: shared(parts.displayOptions) });
    }
    return Object.fromEntries(Object.entries(each).map(([name, inner]) => [name, shared(inner)]));
  };
  return { value: inside(value), constants };
}

/** How often each value occurs; what stands inside a repeated one counts once. */
function count(value: unknown, counts: Map<string, number>): void {
  const isWhole = typeof value === 'string' || value instanceof Call;
  if (!isWhole && !Array.isArray(value) && !isPlain(value)) return;
  const key = print(value);
  const before = counts.get(key) ?? 0;
  counts.set(key, before + 1);
  if (before > 0 || isWhole) return;
  const parts = apart(value);
  for (const each of parts ? [parts.base, parts.displayOptions] : Object.values(value)) count(each, counts);
}

const isRecord = (value: unknown): value is Record<string, unknown> =>
  typeof value === 'object' && value !== null && !Array.isArray(value);

const isPlain = (value: unknown): value is Record<string, unknown> =>
  isRecord(value) && !(value instanceof Identifier) && !(value instanceof Call);

/** A parameter without its display options, and those. */
function apart(value: unknown): { base: Record<string, unknown>; displayOptions: unknown } | undefined {
  if (!isPlain(value) || !('displayName' in value) || value['displayOptions'] === undefined) return undefined;
  const { displayOptions, ...base } = value;
  return { base, displayOptions };
}

/** The parameters of nodes. */
export const nameOfParameters: NameOf = (value) => {
  // n8n's linter looks for these very words beside each parameter.
  if (typeof value === 'string') return value === dynamicMultiOptions ? undefined : { name: 'text' };
  if (Array.isArray(value)) {
    const [first]: unknown[] = value;
    if (!isRecord(first) || !('name' in first)) return undefined;
    return 'displayName' in first
      ? { name: 'parameters', type: 'INodeProperties[]' }
      : { name: 'choices', type: 'INodePropertyOptions[]' };
  }
  if (!isRecord(value)) return undefined;
  const isParameter = 'displayName' in value && 'type' in value && 'default' in value;
  if (isParameter) return { name: `${value['name']}Parameter`, type: 'INodeProperties' };
  return 'show' in value ? { name: 'shown', type: 'IDisplayOptions' } : undefined;
};

/** The fields of operations. */
export const nameOfFields: NameOf = (value) => {
  if (Array.isArray(value)) {
    const [first]: unknown[] = value;
    return first instanceof Call ? { name: 'fields', type: 'readonly Field[]' } : undefined;
  }
  return value instanceof Call ? { name: `${value.values[0]}_field` } : undefined;
};
