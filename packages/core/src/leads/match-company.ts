import type { FieldProblem } from '@dealkeep/contract';
import { readCompany } from '../companies/company-record.ts';
import { insertCompany, type NewCompany } from '../companies/insert-company.ts';
import { lockAll, lockNumber } from '../database/locks.ts';
import { invalidFields } from '../problem.ts';
import type { Scope, Writing } from '../verb/verb.ts';

export type InlineCompany = Omit<NewCompany, 'name'> & { name?: string | null | undefined };

/**
 * The company that an inline description means: matched by registration id, else e-mail, else name; an e-mail or
 * name match is dropped when both sides have different registration ids; of several the oldest; else created.
 * Callers with the same match value wait for each other, so that two of them make one company.
 */
export async function matchOrCreateCompany(
  context: Writing,
  described: InlineCompany,
): Promise<{ id: string; name: string }> {
  const { sql, organization } = context;
  const { email, name } = described;
  await lockAll(
    sql,
    [described.registration_id, email?.toLowerCase(), name?.toLowerCase()].flatMap((value, kind) =>
      value ? [lockNumber('match-company', organization, String(kind), value)] : [],
    ),
  );
  const match = await findCompany(context, described);
  if (match) return match;
  if (!name) throw invalidFields([companyWithoutName]);
  const id = await insertCompany(context, { ...described, name });
  // The lead's contact may join it yet.
  context.emit('company.created', () => readCompany(context, id));
  return { id, name };
}

/** What a company that is to be made lacks. */
export const companyWithoutName = {
  path: 'company.name',
  key: 'field.required',
} as const satisfies FieldProblem;

/** The company that there is already. */
export async function findCompany(
  { sql, organization }: Pick<Scope, 'sql' | 'organization'>,
  { email, name, registration_id }: InlineCompany,
): Promise<{ id: string; name: string } | undefined> {
  // An empty registration id says as little as none.
  const registrationId = registration_id || null;
  const [match] = await sql<{ id: string; name: string }[]>`
    select id, name from (
      select id, name, created_at, case
        when registration_id = ${registrationId} then 1
        when lower(email) = lower(${email ?? null}) then 2
        else 3 end as rank
      from companies
      where organization_id = ${organization}
        and (registration_id = ${registrationId}
          or ((lower(email) = lower(${email ?? null}) or lower(name) = lower(${name ?? null}))
            and (coalesce(registration_id, '') = '' or ${registrationId}::text is null
              or registration_id = ${registrationId})))
    ) as matches
    order by rank, created_at, id limit 1`;
  return match;
}
