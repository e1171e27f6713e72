import { type Company, type FieldProblem, text } from '@dealkeep/contract';
import * as z from 'zod';
import { laterOf } from '../clock.ts';
import type { Core } from '../core.ts';
import { changesOf } from '../database/values.ts';
import { chosenTags } from '../directory/directory.ts';
import { invalidFields } from '../problem.ts';
import { type OrganizationName, requireUnchanged, transact } from '../verb/transact.ts';
import type { Scope } from '../verb/verb.ts';
import { companies } from './record.ts';

/** By the names of tags and fields, as the record shows them. What is absent stays. */
export interface CompanyLabels {
  readonly tags?: readonly string[];
  /** Values as text; a field without one, or with an empty text, has none. */
  readonly custom_fields?: Readonly<Record<string, string>>;
}

/** What is wrong with tags and values of custom fields, for a form that is refused anyway. */
export async function labelProblems(
  context: Pick<Scope, 'sql' | 'organization' | 'directory'>,
  { tags, custom_fields }: CompanyLabels,
): Promise<FieldProblem[]> {
  const tagged = tags ? await chosenTags(context, tags) : { problems: [] };
  const valued = custom_fields ? await customValues(context, custom_fields) : { problems: [] };
  return [...tagged.problems, ...valued.problems];
}

/**
 * Replaces the tags and the values of the custom fields of a company, which the API has no operation for:
 * `company.updated`. Numbers are decimal, dates YYYY-MM-DD, checkboxes `true` or `false` (rule companies 7).
 * Answers the company as GET does. Raises NOT_FOUND, VALIDATION_ERROR with every failing field, and
 * CONFLICT when somebody changed the company meanwhile.
 *
 * @param unchangedSince the `updated_at` that it must still have; whatever it has when absent
 */
export const editCompanyLabels = (
  core: Core,
  organization: OrganizationName,
  { id, tags, custom_fields }: { id: string } & CompanyLabels,
  unchangedSince?: string,
): Promise<Company> =>
  transact(core, organization, async (context) => {
    const row = await companies.lock(context, id);
    const before = await companies.recordOf(context, row);
    requireUnchanged(before, unchangedSince);
    const tagged = tags === undefined ? { ids: row.tag_ids, problems: [] } : await chosenTags(context, tags);
    const valued =
      custom_fields === undefined
        ? { values: row.custom_fields, problems: [] }
        : await customValues(context, custom_fields);
    const problems = [...tagged.problems, ...valued.problems];
    if (problems.length > 0) throw invalidFields(problems);

    const wanted = { tag_ids: tagged.ids, custom_fields: sorted(valued.values) };
    if (!changesOf({ ...row, custom_fields: sorted(row.custom_fields) }, wanted)) return before;
    const changed = { ...wanted, updated_at: laterOf(context.now, row.updated_at) };
    const after = await companies.recordOf(context, await companies.update(context, id, changed));
    context.emitUpdated('company.updated', before, after);
    return after;
  });

const sorted = (values: Readonly<Record<string, string>>): Record<string, string> =>
  Object.fromEntries(Object.entries(values).sort(([a], [b]) => (a < b ? -1 : 1)));

interface CustomField {
  id: string;
  name: string;
  required: boolean;
  type: 'text' | 'number' | 'date' | 'checkbox';
}

/** The values by the fields' ids, as they are stored. */
async function customValues(
  { sql, organization }: Pick<Scope, 'sql' | 'organization'>,
  given: Readonly<Record<string, string>>,
): Promise<{ values: Record<string, string>; problems: FieldProblem[] }> {
  const fields = await sql<CustomField[]>`
    select id, name, required, type from custom_fields where organization_id = ${organization}`;
  const values: Record<string, string> = {};
  const problems: FieldProblem[] = [];
  for (const field of fields) {
    const value = Object.hasOwn(given, field.name) ? given[field.name] : undefined;
    const problem = problemOf(field, value ?? '');
    if (problem) problems.push({ path: `custom_fields.${field.name}`, ...problem });
    else if (value) values[field.id] = value;
  }
  const known = new Set(fields.map(({ name }) => name));
  for (const name of Object.keys(given)) {
    if (!known.has(name)) problems.push({ path: `custom_fields.${name}`, key: 'field.not_found' });
  }
  return { values, problems };
}

const longestText = 2000;

function problemOf({ type, required }: CustomField, value: string): Omit<FieldProblem, 'path'> | undefined {
  if (value === '') return required ? { key: 'field.required' } : undefined;
  if (value.length > 2 * longestText || [...value].length > longestText)
    return { key: 'field.too_long', values: { max: longestText } };
  if (type === 'number' && !/^-?\d{1,15}(\.\d+)?$/.test(value)) {
    return { key: 'field.invalid_type', values: { type: text('a number', 'číslo') } };
  }
  if (type === 'date' && !z.iso.date().safeParse(value).success) return { key: 'field.invalid_date' };
  if (type === 'checkbox' && value !== 'true' && value !== 'false') {
    return { key: 'field.invalid_choice', values: { choices: 'true, false' } };
  }
  return value.includes('\0') || !value.isWellFormed() ? { key: 'field.invalid_characters' } : undefined;
}
