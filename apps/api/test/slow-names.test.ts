import { eventually, startDealkeep } from '@dealkeep/testing';
import { expect, test } from 'vitest';
import { hook, slowNames } from './slow-names.ts';

test('names that one organization gives and that do not resolve hold no connection, and keep no other organization waiting (rule hooks 16)', async () => {
  const names = slowNames();
  const dealkeep = await startDealkeep({ worker: false, resolve: names.resolve, metricsToken: 'token' });
  const slow = dealkeep.as((await dealkeep.createOrganization()).key);
  const other = dealkeep.as((await dealkeep.createOrganization()).key);

  // With and without a key that makes it happen once: both once took a connection first.
  const waiting = Array.from({ length: 12 }, (_, at) =>
    slow.post('/webhooks', hook(`n${at}.hanging.example`), at % 2 ? { 'Idempotency-Key': `k${at}` } : {}),
  );
  await eventually(() => expect(names.asked).toHaveLength(3));
  const [busy] = await dealkeep.sql`
    select count(*) from pg_stat_activity
    where datname = current_database() and (state like 'idle in transaction%' or wait_event_type = 'Lock')`;
  expect(busy).toEqual({ count: 0 });
  expect((await other.post('/webhooks', hook('quick.example'))).outcome).toBe('201');
  expect((await other.get('/leads')).outcome).toBe('200');
  const metrics = await fetch(`${dealkeep.origin}/metrics`, { headers: { Authorization: 'Bearer token' } });
  expect(await metrics.text()).toContain('dealkeep_database_up 1\n');

  names.letGo();
  for (const answer of await Promise.all(waiting)) expect(answer.outcome).toBe('201');
  expect(names.mostAtOnce()).toBe(3);
});
