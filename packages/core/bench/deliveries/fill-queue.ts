import { randomUUIDv7 } from 'node:crypto';
import { type Database, parseSecretsKey } from '../../src/index.ts';
import { newWebhookSecret } from '../../src/webhooks/webhook-secret.ts';
import { benchEnvelope } from './envelope.ts';
import type { BenchOrganization, BenchTarget } from './organization.ts';

/** Due deliveries of 1 KB, so many events to each of so many webhooks, as if no worker had run. */
export async function fillQueue(
  sql: Database,
  { secretsKey }: BenchTarget,
  { id: organization, keyId }: BenchOrganization,
  { url, webhooks, events }: { url: string; webhooks: number; events: number },
): Promise<void> {
  const secrets = parseSecretsKey(secretsKey);
  const now = new Date().toISOString();
  const hooks = Array.from({ length: webhooks }, () => ({
    organization_id: organization,
    id: randomUUIDv7(),
    api_key_id: keyId,
    name: 'Bench',
    target_url: `${url}/hook`,
    events: ['lead.created'],
    secret: secrets.encrypt(newWebhookSecret()),
    created_at: now,
  }));
  await sql`insert into webhooks ${sql(hooks)}`;
  const bodies = Array.from({ length: events }, (_, index) => {
    const id = `evt_${organization.slice(0, 8)}${String(index).padStart(8, '0')}`;
    return { id, envelope: benchEnvelope(id) };
  });
  await sql`
    insert into events (organization_id, id, type, record_id, occurred_at, envelope)
    select ${organization}, id, 'lead.created', gen_random_uuid(), ${now}, envelope
    from unnest(${bodies.map(({ id }) => id)}::text[], ${bodies.map(({ envelope }) => envelope)}::text[])
      as e (id, envelope)`;
  await sql`
    insert into deliveries (id, organization_id, webhook_id, event_id, due_at, created_at)
    select gen_random_uuid(), ${organization}, w.id, e.id, ${now}, ${now}
    from webhooks w cross join events e
    where w.organization_id = ${organization} and e.organization_id = ${organization}
    order by e.id, w.id`;
  await sql`analyze`;
}
