import { addAuditEntries, operator } from '../../change/audit/audit-log.ts';
import type { Clock } from '../../foundations/clock.ts';
import type { Database } from '../../foundations/database/connect.ts';
import { OperatorError, operatorMoment } from '../../foundations/operator.ts';
import { idsOfOrganizations, ofAllOrganizations } from '../../identity/tenancy/due-organizations.ts';
import { namedOrganization } from '../../identity/tenancy/named-organization.ts';
import { listWebhooksWithHealth, type Webhook } from '../webhooks/show-webhooks.ts';
import { sendAgain } from './send-again.ts';

interface Operating {
  sql: Database;
  clock: Clock;
}

/** Every webhook of an organization with its health. Raises OperatorError. */
export async function listWebhooksOf(operating: Operating, slug: string): Promise<Webhook[]> {
  return listWebhooksWithHealth(operating, await namedOrganization(operating.sql, slug));
}

/**
 * Sends deliveries of a webhook again (see `sendAgain`); the workers find them within a second. Answers how many.
 * Raises OperatorError and what `sendAgain` does.
 */
export async function replayWebhook(
  { sql, clock }: Operating,
  {
    webhook,
    since,
    failed = false,
  }: { webhook: string; since?: string | undefined; failed?: boolean | undefined },
): Promise<{ count: number }> {
  const from = since === undefined ? {} : { since: operatorMoment('since', since).toISOString() };
  const organization = await organizationOfWebhook(sql, webhook);
  const chosen = { webhook_id: webhook, ...from, failed };
  const now = clock.now().toISOString();
  const count = await sendAgain(sql, organization, chosen, now);
  const what = { operation: 'webhooks.recover', resource: 'webhook', recordId: webhook } as const;
  await addAuditEntries(sql, organization, now, { ...what, by: operator });
  return { count };
}

/**
 * The organization that a webhook belongs to. Raises OperatorError.
 *
 * @param removed also look for one that was removed, by the attempts that the log still has
 */
export async function organizationOfWebhook(
  sql: Database,
  webhook: string,
  { removed = false }: { removed?: boolean } = {},
): Promise<string> {
  if (!/^[0-9a-f]{8}(-[0-9a-f]{4}){3}-[0-9a-f]{12}$/i.test(webhook)) {
    throw new OperatorError(`"${webhook}" is not the id of a webhook`);
  }
  const [row] = await sql<{ organization_id: string }[]>`
    select organization_id from webhooks where id = ${webhook} and deleted_at is null`;
  const organization =
    row?.organization_id ?? (removed ? await organizationByAttempts(sql, webhook) : undefined);
  if (organization !== undefined) return organization;
  throw new OperatorError(`There is no webhook with the id ${webhook}`, { help: { shown: 'webhooks' } });
}

/** The key of attempts begins with the organization. */
async function organizationByAttempts(sql: Database, webhook: string): Promise<string | undefined> {
  const organizations = await idsOfOrganizations(sql);
  const [logged] = await sql<{ organization_id: string }[]>`
    select ${ofAllOrganizations(sql)} organization_id from attempts
    where organization_id = any(${organizations}::uuid[]) and webhook_id = ${webhook} limit 1`;
  return logged?.organization_id;
}
