import { type FieldProblem, limits, pathText, text } from '@dealkeep/contract';
import * as z from 'zod';
import type { Fragment, Statements } from '../../foundations/database/connect.ts';
import { invalidParameter, Problem } from '../../foundations/problem.ts';
import type { CustomField, ReferenceData } from '../../identity/reference-data/reference-data.ts';

/** By the names of the fields; null clears, and so does an empty text. What is undefined was refused already. */
type GivenValues = Readonly<Record<string, string | null | undefined>>;

/** By the ids of the fields, as they are stored. */
export type StoredValues = Readonly<Record<string, string>>;

const fieldsByName = ({ customFields }: ReferenceData): ReadonlyMap<string, CustomField> =>
  new Map([...customFields.values()].map((field) => [field.name, field]));

/** What is wrong with values for a company that has these (rules companies 9 and 13). */
export function customValueProblems(
  referenceData: ReferenceData,
  given: GivenValues | null | undefined,
  had: StoredValues = {},
): FieldProblem[] {
  const fields = fieldsByName(referenceData);
  return Object.entries(given ?? {}).flatMap(([name, value]) => {
    if (value === undefined) return [];
    const field = fields.get(name);
    const problem = field ? problemOf(field, value, had) : ({ key: 'field.unknown' } as const);
    return problem ? [{ path: pathText(['custom_fields', name]), ...problem }] : [];
  });
}

/** The values that a company has then: a field that is absent stays. In the order of their ids. */
export function customValuesOf(
  referenceData: ReferenceData,
  given: GivenValues | null | undefined,
  had: StoredValues,
): StoredValues {
  const fields = fieldsByName(referenceData);
  const values = new Map(Object.entries(had));
  for (const [name, value] of Object.entries(given ?? {})) {
    const field = fields.get(name);
    if (field && value) values.set(field.id, value);
    else if (field) values.delete(field.id);
  }
  return inOrder(Object.fromEntries(values));
}

/** So that what is the same looks the same. */
export const inOrder = (values: StoredValues): StoredValues =>
  Object.fromEntries(Object.entries(values).sort(([a], [b]) => (a < b ? -1 : 1)));

/**
 * The condition that companies `c` have these values. A number is the same however it is written. Raises
 * UNSUPPORTED_FILTER for a field that there is not, and INVALID_PARAMETER for a value that it cannot have.
 */
export function customValueFilters(
  sql: Statements,
  referenceData: ReferenceData,
  wanted: Readonly<Record<string, string>>,
): Fragment {
  const fields = fieldsByName(referenceData);
  const conditions = Object.entries(wanted).map(([name, value]): Fragment => {
    const parameter = `custom_field[${name}]`;
    const field = fields.get(name);
    if (!field) throw new Problem('parameter.unsupported', { parameter }, { detail: { parameter } });
    const problem = formProblem(field, value);
    if (problem) throw invalidParameter({ path: parameter, ...problem });
    return field.kind === 'number'
      ? sql`(c.custom_fields ->> ${field.id})::numeric = ${value}::text::numeric`
      : sql`c.custom_fields @> ${sql.json({ [field.id]: value })}`;
  });
  return conditions.reduce((all, each) => sql`${all} and ${each}`, sql`true`);
}

type ValueProblem = Omit<FieldProblem, 'path'>;

function problemOf(field: CustomField, value: string | null, had: StoredValues): ValueProblem | undefined {
  if (!value) return field.required ? { key: 'field.required' } : undefined;
  if (field.kind === 'choice') {
    if (field.choices.includes(value) || had[field.id] === value) return undefined;
    return { key: 'field.invalid_choice', values: { choices: choicesText(field.choices) } };
  }
  return formProblem(field, value);
}

/** What is wrong with how a value is written that says nothing else but itself. */
export function formProblem({ kind }: Pick<CustomField, 'kind'>, value: string): ValueProblem | undefined {
  if (value.length > 2 * limits.customFieldLength || [...value].length > limits.customFieldLength) {
    return { key: 'field.too_long', values: { max: limits.customFieldLength } };
  }
  if (kind === 'number' && !/^-?\d{1,15}(\.\d+)?$/.test(value)) {
    return { key: 'field.invalid_type', values: { type: text('a number', 'číslo') } };
  }
  if (kind === 'date' && !z.iso.date().safeParse(value).success) return { key: 'field.invalid_date' };
  if (kind === 'checkbox' && value !== 'true' && value !== 'false') {
    return { key: 'field.invalid_choice', values: { choices: 'true, false' } };
  }
  return value.includes('\0') || !value.isWellFormed() ? { key: 'field.invalid_characters' } : undefined;
}

const shownChoices = 12;

const choicesText = (choices: readonly string[]): string =>
  [...choices.slice(0, shownChoices), ...(choices.length > shownChoices ? ['…'] : [])].join(', ');
