import { eventually, startDealkeep, startHookReceiver } from '@dealkeep/testing';
import { expect, test } from 'vitest';
import { subscribe } from './subscriber.ts';

test('however many webhooks have something due and can be sent nothing, the sweep comes to those behind them', async () => {
  const dealkeep = await startDealkeep({ log: { debug() {}, info() {}, warn() {}, error() {} } });
  const { sql } = dealkeep;
  const receiver = await startHookReceiver();
  const { organization, hookId, createLead } = await subscribe(dealkeep, receiver.url);
  await createLead();
  await receiver.received(1);
  // Nobody can read their secrets, so that they rest; their ids come before that of the other.
  const resting = 600;
  await sql`
    insert into webhooks (organization_id, id, name, target_url, events, secret, created_at)
    select ${organization.id}, ('00000000-0000-4000-8000-' || lpad(n::text, 12, '0'))::uuid, 'Test', ${receiver.url},
           '{lead.deleted}', '\\x00', now()
    from generate_series(1, ${resting}::integer) n`;
  const addDue = (webhooks: 'resting' | 'other', each: number) => sql`
    insert into deliveries (id, organization_id, webhook_id, event_id, due_at, created_at)
    select gen_random_uuid(), w.organization_id, w.id, e.id, now(), now()
    from webhooks w join events e on e.organization_id = w.organization_id cross join generate_series(1, ${each}::integer)
    where (w.id = ${hookId}) = ${webhooks === 'other'}`;
  await addDue('resting', 5);
  await eventually(async () =>
    expect(
      await sql`select distinct webhook_id from deliveries where due_at > created_at + interval '10 seconds'`,
    ).toHaveLength(resting),
  );
  // Nothing is leased and left lying.
  await eventually(async () =>
    expect(await sql`select from deliveries where worker_id is not null`).toEqual([]),
  );
  await addDue('other', 1);
  await receiver.received(2);
});
