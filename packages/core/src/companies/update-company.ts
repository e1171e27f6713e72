import { laterOf } from '../clock.ts';
import { changesOf } from '../database/changes.ts';
import { invalidFields, notFound } from '../problem.ts';
import { writes } from '../verb/verb.ts';
import { readCompany } from './company-record.ts';
import { companyReferenceProblems } from './company-references.ts';

export const updateCompany = writes('companies.update', async (context, { path, body }) => {
  const { sql, organization, now } = context;
  const [row] = await sql<{ updated_at: string }[]>`
    select * from companies where organization_id = ${organization} and id = ${path.id} for update`;
  if (!row) throw notFound();
  const before = await readCompany(context, path.id);
  const problems = companyReferenceProblems(body, await context.directory());
  if (problems.length > 0) throw invalidFields(problems);

  const changes = changesOf(row, body);
  if (!changes) return before;
  await sql`
    update companies set ${sql({ ...changes, updated_at: laterOf(now, row.updated_at) })}
    where organization_id = ${organization} and id = ${path.id}`;
  const after = await readCompany(context, path.id);
  context.emitUpdated('company.updated', before, after);
  return after;
});
