import { placeOfSecret } from '@dealkeep/core/delivering';
import type { TestDealkeep } from '@dealkeep/testing';
import { Webhook } from 'standardwebhooks';
import type { Hook } from './hooks-of.ts';

/** Delivers a body to the hook as Dealkeep would, with its secret; gives the status of the answer. */
export async function deliver(
  { sql, core }: TestDealkeep,
  hook: Hook,
  id: string,
  body: string,
): Promise<number> {
  const [row] = await sql<
    { organization_id: string; secret: Uint8Array }[]
  >`select organization_id, secret from webhooks where id = ${hook.id}`;
  if (!row) throw new Error(`There is no webhook ${hook.id}`);
  const now = new Date();
  const response = await fetch(hook.url, {
    method: 'POST',
    headers: {
      'content-type': 'application/json',
      'webhook-id': id,
      'webhook-timestamp': String(Math.floor(now.getTime() / 1000)),
      'webhook-signature': new Webhook(
        core.secrets.decrypt(row.secret, placeOfSecret({ ...row, id: hook.id })),
      ).sign(id, now, body),
    },
    body,
  });
  return response.status;
}
