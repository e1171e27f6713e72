import { eventually, startDealkeep } from '@dealkeep/testing';
import { expect, test } from 'vitest';
import { deliveriesGoOn } from './deliveries-go-on.ts';

test('a full disk under the log does not keep deliveries back, and the log catches up', async () => {
  const said: string[] = [];
  const say = (_: object, sentence: string) => said.push(sentence);
  const dealkeep = await startDealkeep({ log: { debug() {}, info: say, warn: say, error: say } });
  const { sql } = dealkeep;
  await sql`
    create function full_disk() returns trigger language plpgsql as $$
    begin raise 'could not extend file' using errcode = 'disk_full'; end $$`;
  await sql`create trigger full_disk before insert on attempts execute function full_disk()`;
  await deliveriesGoOn(dealkeep, async () => {
    await eventually(() => expect(said).toContain('The delivery log cannot be written; deliveries go on'));
    await sql`drop trigger full_disk on attempts`;
  });
  // The rows can be seen a moment before the worker knows that they are written.
  await eventually(() =>
    expect(said.filter((sentence) => sentence.includes('delivery log'))).toEqual([
      'The delivery log cannot be written; deliveries go on',
      'The delivery log is written again',
    ]),
  );
});
