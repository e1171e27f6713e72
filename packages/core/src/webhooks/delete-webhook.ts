import { notFound } from '../problem.ts';
import { writes } from '../verb/verb.ts';

/** Its pending deliveries go with it. */
export const deleteWebhook = writes(
  'webhooks.delete',
  async ({ sql, organization, credential }, { path }) => {
    const [deleted] = await sql`
    delete from webhooks
    where organization_id = ${organization} and api_key_id = ${credential.id} and id = ${path.id} returning id`;
    if (!deleted) throw notFound();
    return undefined;
  },
);
