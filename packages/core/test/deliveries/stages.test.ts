import { eventually, startDealkeep, startHookReceiver } from '@dealkeep/testing';
import { expect, test } from 'vitest';
import { subscribe } from './subscriber.ts';

test('the log tells at which stage a delivery failed: lease, sign or write (rule deliveries 41)', async () => {
  const said: object[] = [];
  const say = (fields: object, sentence: string): void => void said.push({ ...fields, sentence });
  const dealkeep = await startDealkeep({ log: { debug() {}, info: say, warn: say, error: say } });
  const { sql } = dealkeep;
  const receiver = await startHookReceiver();
  const told = (line: object) => eventually(() => expect(said).toContainEqual(expect.objectContaining(line)));

  const unsigned = await subscribe(dealkeep, receiver.url);
  await sql`update webhooks set secret = '\\x00' where id = ${unsigned.hookId}`;
  await unsigned.createLead();
  const unsent = 'A delivery cannot be sent; it is held, and tried again in a minute';
  await told({ stage: 'sign', webhook_id: unsigned.hookId, sentence: unsent });

  const withoutEvent = await subscribe(dealkeep, receiver.url);
  await sql`
    insert into deliveries (id, organization_id, webhook_id, event_id, due_at, created_at)
    values (gen_random_uuid(), ${withoutEvent.organization.id}, ${withoutEvent.hookId}, 'evt_gone', now(), now())`;
  await told({ stage: 'lease', event_id: 'evt_gone', sentence: unsent });

  await sql`alter table workers rename to workers_away`;
  await told({ stage: 'lease', sentence: 'Looking for due deliveries fails; it is repeated' });
  await sql`alter table workers_away rename to workers`;
  await told({ stage: 'lease', sentence: 'Due deliveries are found again' });

  await sql`
    create function refuse() returns trigger language plpgsql as $$
    begin
      raise 'value out of range' using errcode = 'numeric_value_out_of_range';
    end $$`;
  await sql`create trigger refuse before delete on deliveries for each row execute function refuse()`;
  const unwritten = await subscribe(dealkeep, receiver.url);
  await unwritten.createLead();
  const refused = 'The result of a delivery cannot be written';
  await told({ stage: 'write', webhook_id: unwritten.hookId, sentence: refused });
});
