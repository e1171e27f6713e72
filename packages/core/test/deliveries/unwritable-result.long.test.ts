import { eventually, startDealkeep, startHookReceiver } from '@dealkeep/testing';
import { expect, test } from 'vitest';
import { subscribe } from './subscriber.ts';

test('a result that can never be written keeps no other waiting, and its delivery is not sent again and again', async () => {
  const said: object[] = [];
  const error = (fields: object, sentence: string): void => void said.push({ ...fields, sentence });
  const dealkeep = await startDealkeep({ log: { debug() {}, info() {}, warn() {}, error } });
  const { sql } = dealkeep;
  const receiver = await startHookReceiver();
  const { hookId, createLead, pending } = await subscribe(dealkeep, receiver.url);
  await sql`create table refused (event_id text)`;
  await sql`
    create function refuse() returns trigger language plpgsql as $$
    begin
      if exists (select from refused where event_id = old.event_id) then
        raise 'value out of range' using errcode = 'numeric_value_out_of_range';
      end if;
      return old;
    end $$`;
  await sql`create trigger refuse before delete on deliveries for each row execute function refuse()`;
  receiver.answerWith(async ({ envelope }) => {
    if (receiver.requests.length === 1) await sql`insert into refused values (${envelope.id})`;
    return 200;
  });
  for (let made = 0; made < 20; made += 1) await createLead();
  await receiver.received(20);
  await createLead();
  await receiver.received(21);

  const [{ event_id } = { event_id: '' }] = await sql<{ event_id: string }[]>`select event_id from refused`;
  await eventually(async () => expect(await pending()).toMatchObject([{ event_id, worker_id: 1 }]));
  expect(receiver.requests).toHaveLength(21);
  expect(said).toMatchObject([{ event_id, sentence: 'The result of a delivery cannot be written' }]);

  // What has lost its job, or never had one, as a retry that is far, is found all the same.
  await sql`
    insert into deliveries (id, organization_id, webhook_id, event_id, due_at, created_at)
    select gen_random_uuid(), organization_id, ${hookId}, id, now(), now() from events where id <> ${event_id} limit 1`;
  await receiver.received(22);
});
