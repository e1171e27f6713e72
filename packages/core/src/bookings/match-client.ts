import type { Changing } from '../verb/verb.ts';

/** The client whose contact has this e-mail; null unless it is exactly one. */
export async function matchClient(
  { sql, organization }: Changing,
  email: string | null | undefined,
): Promise<string | null> {
  if (!email) return null;
  const clients = await sql<{ id: string }[]>`
    select distinct k.id
    from contacts t join clients k on k.organization_id = t.organization_id and k.company_id = t.company_id
    where t.organization_id = ${organization} and lower(t.email) = lower(${email})
    limit 2`;
  return clients.length === 1 ? (clients[0]?.id ?? null) : null;
}
