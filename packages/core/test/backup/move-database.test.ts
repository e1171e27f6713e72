import { systemClock as clock } from '@dealkeep/core/foundations';
import { moveDatabase } from '@dealkeep/core/installation';
import { testDatabase } from '@dealkeep/testing';
import { expect, test } from 'vitest';
import { emptyDatabase, fillDatabase, refusal, tableSums, without } from './filled.ts';

test('a database that is moved has everything in the other one and goes on there, and its queue is paused here; a second time is refused (rule operator 39)', async () => {
  const [from, to] = [await testDatabase({ onOneServer: true }), await emptyDatabase()];
  await fillDatabase(from);
  const before = await tableSums(from.sql);
  const move = () =>
    moveDatabase({
      from: from.url,
      to: to.ownerUrl,
      version: '0.1.0',
      clock,
      environment: 'live',
      fingerprints: ['0011223344556677'],
    });
  await move();
  const changed = ['deliveries', 'workers'];
  expect(without(await tableSums(to.sql), changed)).toEqual(without(before, changed));
  const pauseOf = ({ sql }: typeof from) => sql`
    select deliveries_paused_at is not null as paused, deliveries_paused_reason as reason from installation`;
  expect(await pauseOf(from)).toMatchObject([{ paused: true, reason: 'Moved to another database' }]);
  expect(await pauseOf(to)).toMatchObject([{ paused: false }]);
  expect(await to.sql`select from deliveries where worker_id is not null`).toHaveLength(0);
  await to.sql`insert into secrets_keys (fingerprint) values ('later')`;
  expect(await refusal(move())).toMatch(/holds data/);
});
