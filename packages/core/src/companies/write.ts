import { randomUUIDv7 } from 'node:crypto';
import type { FieldProblem } from '@dealkeep/contract';
import { laterOf } from '../clock.ts';
import { changesOf } from '../database/values.ts';
import type { Directory } from '../directory/directory.ts';
import { invalidFields, notFound } from '../problem.ts';
import { type Writing, writes } from '../verb/verb.ts';
import { readCompany } from './record.ts';

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
  const created = await readCompany(context, await insertCompany(context, body));
  context.emit('company.created', created);
  return created;
});

export interface NewCompany {
  name: string;
  street?: string | null | undefined;
  city?: string | null | undefined;
  postal_code?: string | null | undefined;
  country_code?: string | null | undefined;
  email?: string | null | undefined;
  phone?: string | null | undefined;
  registration_id?: string | null | undefined;
  tax_id?: string | null | undefined;
  vat_id?: string | null | undefined;
  note?: string | null | undefined;
  owner_id?: string | null | undefined;
}

/** Adds a company and answers its id. The caller emits the event. */
export async function insertCompany(context: Writing, company: NewCompany): Promise<string> {
  const { sql, organization, now } = context;
  const id = randomUUIDv7();
  await sql`
    insert into companies (organization_id, id, name, street, city, postal_code, country_code, email, phone,
                           registration_id, tax_id, vat_id, note, owner_id, created_at, updated_at)
    values (${organization}, ${id}, ${company.name}, ${company.street ?? null}, ${company.city ?? null},
            ${company.postal_code ?? null},
            coalesce(${company.country_code ?? null}, (select country_code from organizations where id = ${organization})),
            ${company.email ?? null}, ${company.phone ?? null}, ${company.registration_id ?? null},
            ${company.tax_id ?? null}, ${company.vat_id ?? null}, ${company.note ?? null}, ${company.owner_id ?? null},
            ${now}, ${now})`;
  return id;
}

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
