import { notFound } from '../problem.ts';
import { writes } from '../verb/verb.ts';
import { hooksOfCredential } from './hooks-of-credential.ts';

/** Its pending deliveries go with it. */
export const deleteWebhook = writes('webhooks.delete', async ({ sql, credential }, { path }) => {
  const [deleted] = await sql`
    delete from webhooks
    where ${hooksOfCredential(sql, credential)} and id = ${path.id} returning id`;
  if (!deleted) throw notFound();
  return undefined;
});
