import { randomUUIDv7 } from 'node:crypto';
import { heldMemory, ManualClock, startDealkeep } from '@dealkeep/testing';
import { expect, test } from 'vitest';

const clock = new ManualClock();
const dealkeep = await startDealkeep({ clock, worker: false });
const { sql } = dealkeep;
const many = 30_000;

/** Adds failed deliveries of a hook, each a second after the one before. */
async function addFailed(organization: string, hook: string, count: number): Promise<void> {
  const start = new Date(clock.now().getTime() - 2 * 24 * 3600_000).toISOString();
  await sql`
    insert into events (organization_id, id, type, record_id, occurred_at, envelope)
    select ${organization}, 'evt_many_' || ${hook} || n, 'lead.created', ${randomUUIDv7()},
           ${start}::timestamptz + make_interval(secs => n), '{}'
    from generate_series(1, ${count}::integer) n`;
  await sql`
    insert into attempts (organization_id, id, webhook_id, event_id, event_type, number, started_at, duration_ms, status)
    select ${organization}, gen_random_uuid(), ${hook}, 'evt_many_' || ${hook} || n, 'lead.created', 9,
           ${start}::timestamptz + make_interval(secs => n), 5, 500
    from generate_series(1, ${count}::integer) n`;
  await sql`analyze attempts, events`;
}

test('a hook with 30,000 failed deliveries recovers them while it can be changed and get new events', async () => {
  const organization = await dealkeep.createOrganization();
  const api = dealkeep.as(organization.key);
  const { id } = (await api.post('/webhooks', { target_url: 'http://127.0.0.1:9/', event: 'lead.created' }))
    .data;
  await addFailed(organization.id, id, many);
  const since = new Date(clock.now().getTime() - 3 * 24 * 3600_000).toISOString();
  const before = heldMemory();
  let ended = false;
  const recovering = api.send<{ count: number }>('POST', `/webhooks/${id}/recover`, { json: { since } });
  const done = recovering.finally(() => {
    ended = true;
  });
  // What is asked meanwhile is done meanwhile: nothing that they need is locked to the end.
  let changes = 0;
  let most = before;
  while (!ended) {
    expect((await api.patch(`/webhooks/${id}`, { name: `Change ${changes}` })).status).toBe(200);
    if (!ended) changes += 1;
    most = Math.max(most, heldMemory());
  }
  expect((await done).data).toEqual({ count: many });
  expect(changes).toBeGreaterThan(2);
  expect(most - before).toBeLessThan(32 * 1024 * 1024);
  const [queued] = await sql<{ count: number; first: string; last: string }[]>`
    select count(*)::integer as count, min(due_at) as first, max(due_at) as last from deliveries
    where webhook_id = ${id} and by_hand`;
  expect(queued?.count).toBe(many);
  // 50 a second, from the first to the last.
  const seconds = (Date.parse(queued?.last ?? '') - Date.parse(queued?.first ?? '')) / 1000;
  expect(seconds).toBeCloseTo((many - 1) / 50, 1);
  expect((await api.post(`/webhooks/${id}/recover`, { since })).data).toEqual({ count: 0 });
});
