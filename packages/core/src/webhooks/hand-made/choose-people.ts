import type { FieldProblem } from '@dealkeep/contract';
import type { Statements, Transaction } from '../../database/connect.ts';
import { invalidFields } from '../../problem.ts';

/** Sets the people to be told of a webhook. Raises VALIDATION_ERROR for who is not of the organization. */
export async function choosePeople(
  sql: Transaction,
  { organization, webhook }: { organization: string; webhook: string },
  people: readonly string[],
): Promise<void> {
  await requirePeople(sql, organization, people);
  await sql`
    delete from webhook_notified_users where organization_id = ${organization} and webhook_id = ${webhook}`;
  await sql`
    insert into webhook_notified_users (organization_id, webhook_id, user_id)
    select ${organization}, ${webhook}, id from memberships
    where organization_id = ${organization} and id = any(${[...people]}::uuid[])`;
}

/** Raises VALIDATION_ERROR for who is not of the organization; what is undefined was refused before. */
export async function requirePeople(
  sql: Statements,
  organization: string,
  people: readonly (string | undefined)[],
): Promise<void> {
  const asked = people.filter((each) => each !== undefined);
  const known = await sql<{ id: string }[]>`
    select id from memberships where organization_id = ${organization} and id = any(${asked}::uuid[])`;
  const missing = people.flatMap((person, index): FieldProblem[] =>
    person === undefined || known.some(({ id }) => id === person)
      ? []
      : [{ path: `notify_user_ids[${index}]`, key: 'field.not_found' }],
  );
  if (missing.length > 0) throw invalidFields(missing);
}
