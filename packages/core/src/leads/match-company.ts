import { readCompany } from '../companies/company-record.ts';
import { insertCompany, type NewCompany } from '../companies/insert-company.ts';
import { lockAll, lockNumber } from '../database/locks.ts';
import { invalidField } from '../problem.ts';
import type { Writing } from '../verb/verb.ts';

type InlineCompany = Omit<NewCompany, 'name'> & { name?: string | null | undefined };

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
  // An empty registration id says as little as none.
  const registrationId = described.registration_id || null;
  await lockAll(
    sql,
    [registrationId, email?.toLowerCase(), name?.toLowerCase()].flatMap((value, kind) =>
      value ? [lockNumber('match-company', organization, String(kind), value)] : [],
    ),
  );
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
  if (match) return match;
  if (!name) throw invalidField('company.name', 'field.required');
  const id = await insertCompany(context, { ...described, name });
  // The lead's contact may join it yet.
  context.emit('company.created', () => readCompany(context, id));
  return { id, name };
}
