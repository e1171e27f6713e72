import { revokeApiKey } from '@dealkeep/core/accounts';
import { type Log, systemClock } from '@dealkeep/core/foundations';
import { eventually, startDealkeep, startHookReceiver } from '@dealkeep/testing';
import { expect, test } from 'vitest';
import { subscribe } from './subscriber.ts';

test('hooks made and removed in every way while events happen: no request fails, nobody deadlocks', async () => {
  const said: string[] = [];
  const hear = (_fields: object, sentence: string): void => void said.push(sentence);
  const log: Log = { debug() {}, info() {}, warn: hear, error: hear };
  const dealkeep = await startDealkeep({ log });
  const { sql } = dealkeep;
  const receiver = await startHookReceiver();
  const statuses = [200, 500, 200, 410];
  receiver.answerWith(({ envelope }) => statuses[envelope.id.charCodeAt(8) % 4] ?? 200);
  const events = ['company.created', 'contact.created', 'lead.created', 'lead.updated'];
  const lasting = await subscribe(dealkeep, receiver.url, { events: ['lead.won'] });
  const { organization, api } = lasting;
  const other = await startHookReceiver();
  await subscribe(dealkeep, other.url, { organization });

  const outcomes = new Set<string>();
  const end = performance.now() + 2500;
  const during = async (work: () => Promise<void>): Promise<void> => {
    while (performance.now() < end) await work();
  };
  const makeLeads = () =>
    during(async () => {
      const company = { name: `Company ${Math.floor(Math.random() * 1e6)}` };
      const lead = await api.post('/leads', { name: 'Lead', company, contact: { name: 'Eva' } });
      outcomes.add(lead.outcome);
      if (lead.status === 201)
        outcomes.add((await api.patch(`/leads/${lead.data.id}`, { note: 'x' })).outcome);
    });
  const makeAndRemoveHooks = () =>
    during(async () => {
      const hooks = await Promise.all(
        [1, 2, 3].map(() => api.post('/webhooks', { target_url: receiver.url, events })),
      );
      for (const hook of hooks) outcomes.add(hook.outcome);
      // Some have gone by their own 410 meanwhile.
      const removed = await Promise.all(hooks.map((hook) => api.delete(`/webhooks/${hook.data.id}`)));
      for (const { outcome } of removed) if (outcome !== '404 NOT_FOUND') outcomes.add(outcome);
    });
  const revokeKeys = () =>
    during(async () => {
      const { id, token } = await organization.createKey();
      const key = dealkeep.as(token);
      for (let made = 0; made < 3; made += 1) {
        outcomes.add((await key.post('/webhooks', { target_url: receiver.url, events })).outcome);
      }
      await revokeApiKey({ sql, clock: systemClock }, id);
    });
  await Promise.all([
    ...Array.from({ length: 5 }, makeLeads),
    makeAndRemoveHooks(),
    makeAndRemoveHooks(),
    revokeKeys(),
  ]);

  expect([...outcomes].sort()).toEqual(['200', '201', '204']);
  const [database] = await sql<{ deadlocks: number }[]>`
    select deadlocks::integer from pg_stat_database where datname = current_database()`;
  expect(database?.deadlocks).toBe(0);
  expect(said).toEqual([]);
  // The one that stayed has got every event once.
  const made = await sql<{ id: string }[]>`
    select id from events where organization_id = ${organization.id} and type = 'lead.created'`;
  await other.received(made.length);
  expect(other.requests.map(({ envelope }) => envelope.id).sort()).toEqual(made.map(({ id }) => id).sort());
  await eventually(async () =>
    expect(await sql`select from deliveries where worker_id is not null`).toHaveLength(0),
  );
});
