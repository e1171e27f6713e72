import { eventually, startDealkeep, startHookReceiver } from '@dealkeep/testing';
import { expect, test } from 'vitest';
import { subscribe } from './subscriber.ts';

test('however the scheme and the host of an address are written, its events arrive, and its job has its host', async () => {
  const dealkeep = await startDealkeep({ worker: false });
  const receiver = await startHookReceiver();
  const { port } = new URL(receiver.url);
  const { createLead } = await subscribe(dealkeep, `HTTP://LocalHost:${port}?key=of/a/secret@path`);
  await createLead();
  await eventually(async () =>
    expect(
      await dealkeep.sql`
        select flag from graphile_worker.jobs cross join jsonb_object_keys(flags) flag where flag like 'host:%'`,
    ).toEqual([{ flag: `host:localhost:${port}` }]),
  );
});

test('no address of one webhook keeps the jobs of others from being added', async () => {
  const dealkeep = await startDealkeep();
  const { sql } = dealkeep;
  const receiver = await startHookReceiver();
  const odd = await subscribe(dealkeep, receiver.url);
  // As rules of before may have let it be written.
  await sql`update webhooks set target_url = replace(target_url, '//', '') where id = ${odd.hookId}`;
  const others = await startHookReceiver();
  const { organization, hookId, createLead } = await subscribe(dealkeep, others.url);
  await odd.createLead();
  await createLead();
  await others.received(1);
  // What has lost its job is found by the sweep, together with all others of which the same is true.
  await sql`
    insert into deliveries (id, organization_id, webhook_id, event_id, due_at, created_at)
    select gen_random_uuid(), organization_id, ${hookId}, id, now(), now() from events
    where organization_id = ${organization.id}`;
  await others.received(2);
  await receiver.received(1);
});
