import { randomUUIDv7 } from 'node:crypto';
import type { Company, FieldProblem } from '@dealkeep/contract';
import { laterOf } from '../clock.ts';
import { changesOf } from '../database/values.ts';
import type { Directory } from '../directory/directory.ts';
import { invalidFields } from '../problem.ts';
import { type InputOf, type Writing, writes } from '../verb/verb.ts';
import { companies } from './record.ts';

/** What a company's body refers to must exist; answers the failing fields. */
function companyReferenceProblems(
  body: { owner_id?: string | null | undefined },
  directory: Directory,
): FieldProblem[] {
  if (!body.owner_id || directory.users.has(body.owner_id)) return [];
  return [{ path: 'owner_id', key: 'field.not_found' }];
}

export const createCompany = writes('companies.create', async (context, { body }) => {
  const problems = companyReferenceProblems(body, await context.directory());
  if (problems.length > 0) throw invalidFields(problems);
  const created = await insertCompany(context, body);
  context.emit('company.created', created);
  return created;
});

/** Adds a company. To say so is left to the caller. */
export async function insertCompany(
  context: Writing,
  company: InputOf<'companies.create'>['body'],
): Promise<Company> {
  const { sql, organization, now } = context;
  const row = await companies.insert(context, {
    ...companies.valuesOf(company),
    id: randomUUIDv7(),
    country_code:
      company.country_code ?? sql`(select country_code from organizations where id = ${organization})`,
    created_at: now,
    updated_at: now,
  });
  return companies.recordOf(context, row);
}

export const updateCompany = writes('companies.update', async (context, { path, body }) => {
  const row = await companies.lock(context, path.id);
  const problems = companyReferenceProblems(body, await context.directory());
  if (problems.length > 0) throw invalidFields(problems);

  const before = await companies.recordOf(context, row);
  const changes = changesOf(row, companies.valuesOf(body));
  if (!changes) return before;
  const changed = { ...changes, updated_at: laterOf(context.now, row.updated_at) };
  const after = await companies.recordOf(context, await companies.update(context, path.id, changed));
  context.emitUpdated('company.updated', before, after);
  return after;
});
