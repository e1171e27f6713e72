import type { Statements } from '../database/connect.ts';
import { Problem } from '../problem.ts';

/** Raises LIMIT_EXCEEDED when the organization has its maximum of webhooks, REST hooks and hand-made together. */
export async function requireRoom(sql: Statements, organization: string): Promise<void> {
  // The lock makes the count hold until the commit.
  const [limit] = await sql<{ max_webhooks: number }[]>`
    select max_webhooks from organizations where id = ${organization} for no key update`;
  const [count] = await sql<{ webhooks: number }[]>`
    select count(*)::integer as webhooks from webhooks where organization_id = ${organization}`;
  const max = limit?.max_webhooks ?? 0;
  if ((count?.webhooks ?? 0) >= max) throw new Problem('webhook.limit', { max });
}
