import type { Company, FieldProblem } from '@dealkeep/contract';
import * as z from 'zod';
import { laterOf } from '../clock.ts';
import type { Core } from '../core.ts';
import { changesOf } from '../database/changes.ts';
import { invalidFields, notFound } from '../problem.ts';
import { type OrganizationName, transact } from '../verb/transact.ts';
import type { Changing } from '../verb/verb.ts';
import { readCompany } from './company-record.ts';

export interface CompanyLabels {
  readonly tag_ids: readonly string[];
  /** By the id of the field, as text; an empty text is no value. */
  readonly custom_fields: Readonly<Record<string, string>>;
}

/**
 * Replaces the tags and the values of the custom fields of a company, which the API has no operation for:
 * `company.updated`. Numbers are decimal, dates YYYY-MM-DD, checkboxes `true` or `false` (decisions, section 4).
 * Answers the company as GET does. Raises NOT_FOUND, and VALIDATION_ERROR with every failing field.
 */
export const editCompanyLabels = (
  core: Core,
  organization: OrganizationName,
  { id, tag_ids, custom_fields }: { id: string } & CompanyLabels,
): Promise<Company> =>
  transact(core, organization, async (context) => {
    const { sql, now } = context;
    const [row] = await sql<
      { tag_ids: string[]; custom_fields: Record<string, string>; updated_at: string }[]
    >`
      select tag_ids, custom_fields, updated_at from companies
      where organization_id = ${organization.id} and id = ${id} for update`;
    if (!row) throw notFound();
    const before = await readCompany(context, id);
    const values = Object.fromEntries(
      Object.entries(custom_fields)
        .filter(([, value]) => value !== '')
        .sort(([a], [b]) => (a < b ? -1 : 1)),
    );
    const problems = [
      ...(await tagProblems(context, tag_ids)),
      ...(await customFieldProblems(context, values)),
    ];
    if (problems.length > 0) throw invalidFields(problems);

    const kept = Object.entries(row.custom_fields).sort(([a], [b]) => (a < b ? -1 : 1));
    const changes = changesOf(
      { tag_ids: row.tag_ids, custom_fields: Object.fromEntries(kept) },
      { tag_ids: [...new Set(tag_ids)], custom_fields: values },
    );
    if (!changes) return before;
    await sql`
      update companies set tag_ids = ${changes.tag_ids ?? row.tag_ids}, custom_fields = ${sql.json(values)},
        updated_at = ${laterOf(now, row.updated_at)}
      where organization_id = ${organization.id} and id = ${id}`;
    const after = await readCompany(context, id);
    context.emitUpdated('company.updated', before, after);
    return after;
  });

async function tagProblems(
  { core, sql, organization }: Changing,
  ids: readonly string[],
): Promise<FieldProblem[]> {
  const { tags } = await core.directories.current(sql, organization);
  return ids.every((id) => tags.has(id)) ? [] : [{ path: 'tag_ids', key: 'field.not_found' }];
}

const longestText = 2000;

async function customFieldProblems(
  { sql, organization }: Changing,
  values: Readonly<Record<string, string>>,
): Promise<FieldProblem[]> {
  const fields = await sql<
    { id: string; required: boolean; type: 'text' | 'number' | 'date' | 'checkbox' }[]
  >`
    select id, required, type from custom_fields where organization_id = ${organization}`;
  const known = new Set(fields.map(({ id }) => id));
  const problems: FieldProblem[] = Object.keys(values)
    .filter((id) => !known.has(id))
    .map((id) => ({ path: `custom_fields.${id}`, key: 'field.not_found' }));
  for (const { id, required, type } of fields) {
    const path = `custom_fields.${id}`;
    const value = values[id];
    if (value === undefined) {
      if (required) problems.push({ path, key: 'field.required' });
    } else if (type === 'number' && !/^-?\d{1,15}(\.\d+)?$/.test(value)) {
      problems.push({ path, key: 'field.invalid_type', values: { type: 'number' } });
    } else if (type === 'date' && !z.iso.date().safeParse(value).success) {
      problems.push({ path, key: 'field.invalid_date' });
    } else if (type === 'checkbox' && value !== 'true' && value !== 'false') {
      problems.push({ path, key: 'field.invalid_choice', values: { choices: 'true, false' } });
    } else if (value.includes('\0') || !value.isWellFormed()) {
      problems.push({ path, key: 'field.invalid_characters' });
    } else if ([...value].length > longestText) {
      problems.push({ path, key: 'field.too_long', values: { max: longestText } });
    }
  }
  return problems;
}
