import { limits } from '@dealkeep/contract';
import { isApiRecord } from '../records/api-record.ts';
import { bodyOf, isText } from './body-of.ts';
import type { FormField } from './form-field.ts';
import { InputProblem } from './input-problem.ts';
import { isEmpty } from './is-empty.ts';
import { linesIn } from './line-items.ts';
import { readNumber } from './read-number.ts';
import { ofChosenWays } from './ways.ts';

/**
 * What a person filled in, as the API takes it. Values of an earlier step that cannot be meant (an object for a
 * text, several for one, more than can be sent) are told by the labels of their fields, before anything is sent: the
 * API would see them in a form that the person never did.
 */
export function filledIn(
  fields: readonly FormField[],
  input: Record<string, unknown>,
): Record<string, unknown> {
  const body = bodyOf(fields, input);
  const problems = ofChosenWays(fields, input).flatMap((field) =>
    field.children ? problemsOfLines(field, field.children, input) : problemsOf(field, input[field.key]),
  );
  const told = problems.length > 0 ? problems : sizeProblems(fields, input, body);
  if (told.length === 0) return body;
  throw new InputProblem(told.join(' '));
}

function problemsOf(field: FormField, value: unknown): string[] {
  const given = [value].flat(Number.POSITIVE_INFINITY).filter((item) => !isEmpty(item));
  if (field.keysOf) return [];
  if (given.some(isApiRecord)) return [`${field.label}: This is an object. Map one of its fields instead.`];
  const takesSeveral = field.list || isText(field);
  if (given.length > 1 && !takesSeveral) {
    return [
      `${field.label}: These are ${given.length} values where one is expected. Map one of them instead.`,
    ];
  }
  return isNumeric(field) ? given.flatMap((text) => numberProblems(field, text)) : [];
}

const isNumeric = ({ type }: FormField): boolean => type === 'number' || type === 'integer';

/** What is no number at all is left to the API, which says so. */
function numberProblems({ label }: FormField, text: unknown): string[] {
  const reading = typeof text === 'string' ? readNumber(text) : undefined;
  if (reading?.is !== 'ambiguous') return [];
  const [one, other] = reading.either;
  return [
    `${label}: "${String(text).trim()}" can be ${one} or ${other}. Write the one that it is, without a comma.`,
  ];
}

function problemsOfLines(
  field: FormField,
  children: readonly FormField[],
  input: Record<string, unknown>,
): string[] {
  const { lines, problems } = linesIn(field, children, input);
  if (problems.length > 0) return [...problems];
  return lines.flatMap((line, index) =>
    children
      .flatMap((child) => problemsOf(child, line[child.key]))
      .map((problem) => `${field.label} ${index + 1}, ${problem}`),
  );
}

/** The API takes so much at once; whatever is longest is what was mapped by mistake. */
function sizeProblems(
  fields: readonly FormField[],
  input: Record<string, unknown>,
  body: Record<string, unknown>,
): string[] {
  if (sizeOf(body) <= limits.bodyBytes) return [];
  const [longest] = fields.toSorted((one, other) => sizeOf(input[other.key]) - sizeOf(input[one.key]));
  return [`${longest?.label}: This is too long. All fields together may have 1 MB.`];
}

const sizeOf = (value: unknown): number => Buffer.byteLength(JSON.stringify(value) ?? '');
