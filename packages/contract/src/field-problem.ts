import * as z from 'zod';
import type { FieldError } from './errors.ts';
import { limits } from './limits.ts';
import { isMessageKey, type MessageKey, message, messages } from './messages.ts';
import { type Language, type Text, text } from './text.ts';

/** A field that breaks its constraint, not yet in a language. */
export interface FieldProblem {
  readonly path: string;
  readonly key: MessageKey;
  readonly values?: Readonly<Record<string, string | number | Text>>;
}

/**
 * What a failing field's code is: the message's key without its group, such as `too_long`; `conflict` for what would
 * be a CONFLICT if it were alone.
 */
export const fieldCode = (key: MessageKey): string =>
  messages[key].code === 'CONFLICT' ? 'conflict' : key.slice(key.indexOf('.') + 1);

/** The finished form. */
export function fieldError(problem: FieldProblem, language: Language): FieldError {
  return {
    path: problem.path,
    code: fieldCode(problem.key),
    message: message(problem.key, language, problem.values),
  };
}

/** `['items', 0, 'unit_price']` as `items[0].unit_price`. */
export function pathText(path: readonly PropertyKey[]): string {
  return path.reduce<string>((text, part) => {
    if (typeof part === 'number') return `${text}[${part}]`;
    return text === '' ? String(part) : `${text}.${String(part)}`;
  }, '');
}

/**
 * The failing fields of a value that a schema refused; one problem for a field, and one more than an answer names at
 * most: nobody reads a hundred thousand.
 */
export function fieldProblems(error: z.ZodError, value: unknown): FieldProblem[] {
  const problems = new Map<string, FieldProblem>();
  for (const issue of error.issues) {
    for (const problem of translate(issue, value)) {
      if (!problems.has(problem.path)) problems.set(problem.path, problem);
    }
    if (problems.size > limits.failingFields) break;
  }
  return [...problems.values()].slice(0, limits.failingFields + 1);
}

const formatKeys: Readonly<Record<string, MessageKey>> = {
  email: 'field.invalid_email',
  uuid: 'field.invalid_uuid',
  url: 'field.invalid_url',
  date: 'field.invalid_date',
  datetime: 'field.invalid_date_time',
};

function translate(issue: z.core.$ZodIssue, value: unknown): FieldProblem[] {
  const path = pathText(issue.path);
  switch (issue.code) {
    case 'unrecognized_keys':
      return issue.keys
        .slice(0, limits.failingFields + 1)
        .map((key) => ({ path: pathText([...issue.path, key]), key: 'field.unknown' }));
    case 'invalid_type':
      if (valueAt(value, issue.path) == null) return [{ path, key: 'field.required' }];
      return [{ path, key: 'field.invalid_type', values: { type: typeName(issue.expected) } }];
    case 'invalid_format':
      if (isMessageKey(issue.message)) return [{ path, key: issue.message }];
      return [{ path, key: formatKeys[issue.format] ?? 'field.invalid_format' }];
    case 'too_big':
      return [
        issue.origin === 'array'
          ? { path, key: 'field.too_many', values: { max: String(issue.maximum) } }
          : { path, key: 'field.too_big', values: { max: String(issue.maximum) } },
      ];
    case 'too_small':
      return [
        issue.origin === 'array'
          ? { path, key: 'field.too_few', values: { min: String(issue.minimum) } }
          : {
              path,
              key: issue.inclusive ? 'field.too_small' : 'field.more_than',
              values: { min: String(issue.minimum) },
            },
      ];
    case 'invalid_value': {
      if (valueAt(value, issue.path) == null) return [{ path, key: 'field.required' }];
      if (isMessageKey(issue.message)) return [{ path, key: issue.message }];
      const shown = issue.values.slice(0, 12).map(String).join(', ');
      const choices = issue.values.length > 12 ? `${shown}, …` : shown;
      return [{ path, key: 'field.invalid_choice', values: { choices } }];
    }
    case 'custom':
      return [{ path, ...customProblem(issue.params) }];
    default:
      return [{ path, key: 'field.invalid_format' }];
  }
}

const customParameters = z.object({
  key: z.string().refine(isMessageKey),
  values: z.record(z.string(), z.union([z.string(), z.number()])).optional(),
});

function customProblem(params: unknown): Omit<FieldProblem, 'path'> {
  const parsed = customParameters.safeParse(params);
  if (!parsed.success) return { key: 'field.invalid_format' };
  const { key, values } = parsed.data;
  return values ? { key, values } : { key };
}

const typeNames: Readonly<Record<string, Text>> = {
  string: text('a text', 'text'),
  number: text('a number', 'číslo'),
  int: text('a whole number', 'celé číslo'),
  boolean: text('true or false', 'true alebo false'),
  array: text('an array', 'pole (array)'),
  object: text('an object', 'objekt'),
  record: text('an object', 'objekt'),
};

/** What a value should have been, in words; zod's own where there are none. */
const typeName = (expected: string): Text | string => typeNames[expected] ?? expected;

function valueAt(value: unknown, path: readonly PropertyKey[]): unknown {
  return path.reduce<unknown>(
    (inner, part) => (typeof inner === 'object' && inner !== null ? Reflect.get(inner, part) : undefined),
    value,
  );
}
