import { invalidFields } from '../problem.ts';
import { writes } from '../verb/verb.ts';
import { readCompany } from './company-record.ts';
import { companyReferenceProblems } from './company-references.ts';
import { insertCompany } from './insert-company.ts';

export const createCompany = writes('companies.create', async (context, { body }) => {
  const problems = companyReferenceProblems(body, await context.directory());
  if (problems.length > 0) throw invalidFields(problems);
  const created = await readCompany(context, await insertCompany(context, body));
  context.emit('company.created', created);
  return created;
});
