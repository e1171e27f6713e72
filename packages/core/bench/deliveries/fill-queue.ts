import { randomUUIDv7 } from 'node:crypto';
import { type Database, parseSecretsKey } from '@dealkeep/core/foundations';
import { newWebhookSecret, placeOfSecret } from '../../src/delivering/webhooks/signing-keys.ts';
import { envelopeBytes } from './envelope.ts';
import type { BenchOrganization, BenchTarget } from './organization.ts';

const webhooksAtOnce = 5000;

/** So many webhooks with one receiver. */
export async function addWebhooks(
  sql: Database,
  { secretsKey }: BenchTarget,
  { id: organization, keyId }: BenchOrganization,
  { url, webhooks }: { url: string; webhooks: number },
): Promise<void> {
  const secrets = parseSecretsKey(secretsKey);
  const keys = Array.from({ length: webhooks }, () => ({
    organization_id: organization,
    id: randomUUIDv7(),
  }));
  const hooks = keys.map((key) => ({
    ...key,
    api_key_id: keyId,
    name: 'Bench',
    target_url: `${url}/hook`,
    events: ['lead.created'],
    secret: secrets.encrypt(newWebhookSecret(), placeOfSecret(key)),
    created_at: new Date().toISOString(),
  }));
  // PostgreSQL takes 65,535 parameters at once.
  for (let done = 0; done < hooks.length; done += webhooksAtOnce) {
    await sql`insert into webhooks ${sql(hooks.slice(done, done + webhooksAtOnce))}`;
  }
}

/**
 * Due deliveries of 1 KB, so many events to each webhook of the organization, as if no worker had run. They appear
 * at one moment.
 *
 * @param counted with statistics made, so that a worker that runs already shares the machine with neither; else the
 *   planner knows of none of them
 */
export async function addDeliveries(
  sql: Database,
  { id: organization }: BenchOrganization,
  events: number,
  { counted = true }: { counted?: boolean } = {},
): Promise<void> {
  const now = new Date().toISOString();
  await sql.begin(async (tx) => {
    await tx`
      with made as (
        insert into events (organization_id, id, type, record_id, occurred_at, envelope)
        select ${organization}, id, 'lead.created', gen_random_uuid(), ${now},
               rpad('{"id":"' || id || '","type":"lead.created","data":{"note":"', ${envelopeBytes - 3}, 'x') || '"}}'
        from (select 'evt_' || replace(uuidv7()::text, '-', '') as id from generate_series(1, ${events})) ids
        returning id
      )
      insert into deliveries (id, organization_id, webhook_id, event_id, due_at, created_at)
      select gen_random_uuid(), ${organization}, w.id, made.id, ${now}, ${now}
      from webhooks w cross join made
      where w.organization_id = ${organization}
      order by made.id, w.id`;
    if (counted) await tx`analyze`;
  });
}
