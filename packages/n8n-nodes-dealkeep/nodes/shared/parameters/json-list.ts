import { ParameterProblem } from '../failure.ts';
import { isRecord } from '../record.ts';
import type { Field } from '../tables.ts';
import { kindOf } from './locator.ts';

/** Which parameter says whether a list is given as JSON, and which holds it. */
export const jsonParameters = ({ parameter }: Field): { mode: string; json: string } => ({
  mode: `specify${parameter.charAt(0).toUpperCase()}${parameter.slice(1)}`,
  json: `${parameter}Json`,
});

/**
 * The entries of a list that was given as JSON, under the names of the API, which judges them itself.
 *
 * @throws {ParameterProblem} with the field's label when it is no list of objects
 */
export function jsonList(field: Field, value: unknown): readonly unknown[] {
  const parsed = typeof value === 'string' ? parsedText(value) : value;
  if (parsed === notJson) {
    throw new ParameterProblem(
      `${field.label}: this is not valid JSON`,
      'Correct the JSON. An expression that gives the list itself needs no quotes around it.',
    );
  }
  const list = isRecord(parsed) ? [parsed] : parsed;
  if (Array.isArray(list) && list.every(isRecord)) return list;
  throw new ParameterProblem(
    `${field.label}: a list of objects is wanted, but the value is ${kindOf(parsed)}`,
    'Let the expression give a list such as [{ … }, { … }].',
  );
}

const notJson = Symbol('not JSON');

function parsedText(text: string): unknown {
  try {
    return JSON.parse(text);
  } catch {
    return notJson;
  }
}
