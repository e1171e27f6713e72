import type { Resolve } from '@dealkeep/core';
import { eventually, startDealkeep } from '@dealkeep/testing';
import { expect, test } from 'vitest';

/** Names below `hanging.example` get no answer until they are let go; all others are public at once. */
function slowNames() {
  const asked: string[] = [];
  const letGo = Promise.withResolvers<void>();
  let running = 0;
  let most = 0;
  const resolve: Resolve = async (host) => {
    asked.push(host);
    if (!host.endsWith('hanging.example')) return [{ address: '93.184.215.14' }];
    running += 1;
    most = Math.max(most, running);
    await letGo.promise;
    running -= 1;
    return [{ address: '93.184.215.14' }];
  };
  return { resolve, asked, letGo: letGo.resolve, mostAtOnce: () => most };
}

const hook = (name: string) => ({ target_url: `https://${name}/hook`, event: 'lead.created' as const });

test('names that one organization gives and that do not resolve hold no connection, and keep no other organization waiting', async () => {
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

test('a name without an answer is refused as such, one that never had its turn may be tried again, and neither is remembered wrongly', async () => {
  const names = slowNames();
  const dealkeep = await startDealkeep({ worker: false, resolve: names.resolve });
  const api = dealkeep.as((await dealkeep.createOrganization()).key);
  const post = (at: number) =>
    api.post('/webhooks', hook(`n${at}.hanging.example`), { 'Idempotency-Key': `key ${at}` });
  const answers = await Promise.all(Array.from({ length: 30 }, (_, at) => post(at)));
  const outcomes = Map.groupBy(answers, ({ outcome }) => outcome);
  expect([...outcomes.keys()].sort()).toEqual(['422 WEBHOOK_URL_INVALID', '503 SERVICE_UNAVAILABLE']);
  expect(outcomes.get('422 WEBHOOK_URL_INVALID')?.length).toBeGreaterThanOrEqual(3);
  expect(names.mostAtOnce()).toBeLessThanOrEqual(6);

  names.letGo();
  const again = await Promise.all([0, 1, 2, 3, 4, 5].map(post));
  // A refusal is stored for the same key; trouble is not.
  const expected = answers.slice(0, 6).map(({ status }) => (status === 422 ? 422 : 201));
  expect(again.map(({ status }) => status)).toEqual(expected);
});
