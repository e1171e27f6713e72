import { Identifier } from './property.ts';

const wide = 100;

/** A value as TypeScript source, short ones on one line. */
export function print(value: unknown, indent = ''): string {
  if (value instanceof Identifier) return value.member ? `${value.name}.${value.member}` : value.name;
  if (typeof value === 'string') return quote(value);
  if (typeof value !== 'object' || value === null) return String(value);
  const inner = `${indent}  `;
  const [open, close] = Array.isArray(value) ? ['[', ']'] : ['{', '}'];
  const parts = Array.isArray(value)
    ? value.map((each) => print(each, inner))
    : Object.entries(value)
        .filter(([, each]) => each !== undefined)
        .map(([key, each]) => `${/^[A-Za-z_$][\w$]*$/.test(key) ? key : quote(key)}: ${print(each, inner)}`);
  if (parts.length === 0) return open + close;
  const spaced = open === '{' ? ' ' : '';
  const line = `${open}${spaced}${parts.join(', ')}${spaced}${close}`;
  if (line.length + indent.length <= wide && !line.includes('\n')) return line;
  return `${open}\n${parts.map((part) => `${inner}${part},\n`).join('')}${indent}${close}`;
}

const quote = (text: string): string =>
  `'${text.replaceAll('\\', '\\\\').replaceAll("'", "\\'").replaceAll('\n', '\\n')}'`;

/** The constants of other generated files that a value names. */
export function identifiersIn(value: unknown): Identifier[] {
  if (value instanceof Identifier) return [value];
  if (typeof value !== 'object' || value === null) return [];
  return Object.values(value).flatMap(identifiersIn);
}
