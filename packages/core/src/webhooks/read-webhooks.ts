import { notFound } from '../problem.ts';
import { reads } from '../verb/verb.ts';
import { restHooks } from './rest-hook-record.ts';

/** A key or connection sees only the hooks that it made. */
export const listWebhooks = reads('webhooks.list', async ({ sql, credential }) => {
  const hooks = await restHooks(sql, credential, sql`order by created_at desc, id desc`);
  return { data: [...hooks], next_cursor: null, has_more: false };
});

export const getWebhook = reads('webhooks.get', async ({ sql, credential }, { path }) => {
  const [hook] = await restHooks(sql, credential, sql`and id = ${path.id}`);
  if (!hook) throw notFound();
  return hook;
});
