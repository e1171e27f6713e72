import type { InputProperty, InputPropertyMap } from '@activepieces/pieces-framework';

type Values = Readonly<Record<string, unknown>>;

/**
 * What the engine makes of values before a step sees them, and which it refuses: numbers and moments are read, texts
 * are written, the columns of an array become lines, and a value of another kind ends the step.
 */
export function processProps(
  props: InputPropertyMap,
  values: Values,
  opened: Readonly<Record<string, InputPropertyMap>> = {},
): Record<string, unknown> {
  const problems: string[] = [];
  const processed = Object.fromEntries(
    Object.entries(values).map(([key, value]) => {
      const property = props[key];
      if (!property) return [key, value];
      const read = readValue(property, value, opened[key]);
      const problem = problemOf(property, read);
      if (problem) problems.push(`${key}: ${problem}, received: ${String(value)}`);
      return [key, read];
    }),
  );
  if (problems.length > 0) throw new Error(problems.join('; '));
  return processed;
}

function readValue(property: InputProperty, value: unknown, opened: InputPropertyMap | undefined): unknown {
  if (value === undefined || value === null) return value;
  switch (property.type) {
    case 'SHORT_TEXT':
    case 'LONG_TEXT': {
      const text = typeof value === 'object' ? JSON.stringify(value) : String(value);
      return text === '' && !property.required ? undefined : text;
    }
    case 'NUMBER':
      return value === '' ? undefined : Number(value);
    case 'DATE_TIME': {
      const moment = new Date(String(value));
      return Number.isNaN(moment.getTime()) ? undefined : moment.toISOString();
    }
    case 'ARRAY':
      return property.properties
        ? linesOf(value).map((line) => processProps(property.properties ?? {}, line))
        : value;
    case 'DYNAMIC':
      return opened && typeof value === 'object' ? processProps(opened, Object(value)) : value;
    case 'MULTI_SELECT_DROPDOWN':
    case 'STATIC_MULTI_SELECT_DROPDOWN':
      return value === '' ? undefined : [value].flat();
    default:
      return value;
  }
}

/** Columns of which some are lists make as many lines. */
function linesOf(value: unknown): Values[] {
  if (Array.isArray(value)) return value.map((line) => Object(line));
  const columns = Object.entries(Object(value));
  const count = Math.max(...columns.map(([, column]) => (Array.isArray(column) ? column.length : 1)));
  return Array.from({ length: count }, (_, index) =>
    Object.fromEntries(columns.map(([key, column]) => [key, Array.isArray(column) ? column[index] : column])),
  );
}

function problemOf({ type, required }: InputProperty, value: unknown): string | undefined {
  if (!required && (value === undefined || value === null)) return undefined;
  const isText = typeof value === 'string';
  if ((type === 'SHORT_TEXT' || type === 'LONG_TEXT') && !isText) return 'Expected string';
  if (type === 'NUMBER' && !(typeof value === 'number' && !Number.isNaN(value))) return 'Expected number';
  if (type === 'DATE_TIME' && !isText) return 'Invalid datetime format';
  if (type === 'ARRAY' && !Array.isArray(value)) return 'Expected array';
  return undefined;
}
