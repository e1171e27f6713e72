import { getWebhookWithHealth, listWebhooksWithHealth } from '@dealkeep/core/delivering';
import {
  eventually,
  ManualClock,
  startDealkeep,
  startHookReceiver,
  updateManualWebhook,
} from '@dealkeep/testing';
import { expect, test } from 'vitest';
import { queueSummary } from '../../src/installation/installation/queue.ts';
import { listQueue, queueStatus } from '../../src/installation/installation/queue-status.ts';
import { attemptsKeepThePace } from './attempts-at-a-pace.ts';
import { pacedDeliveries, pacedWebhook } from './paced-deliveries.ts';
import { subscribe } from './subscriber.ts';

const clock = new ManualClock();
const dealkeep = await startDealkeep({ clock, worker: false });
const { core, sql } = dealkeep;
const { worker, addDue, settled } = pacedDeliveries(dealkeep, clock);

test('over any 60 seconds never more than max_per_minute attempts begin, retries and two workers included, and nearly as many (rule hooks 22)', () =>
  attemptsKeepThePace({ max: 7, seconds: 130, least: 10 }));

test('what waits for the pace is no attempt and no failure, keeps its order, and holds up no other webhook (rule hooks 22)', async () => {
  await worker();
  const paced = await pacedWebhook(dealkeep, 1);
  await addDue(paced, 3);
  await settled(paced);
  const other = await subscribe(dealkeep, (await startHookReceiver()).url);
  for (const _ of [1, 2, 3]) await other.createLead();
  await other.logged(3);
  expect(paced.receiver.requests).toHaveLength(1);
  expect(await sql`select attempts, worker_id from deliveries where webhook_id = ${paced.id}`).toEqual([
    { attempts: 0, worker_id: null },
    { attempts: 0, worker_id: null },
  ]);
  expect(await getWebhookWithHealth(core, paced.organization, paced.id)).toMatchObject({
    state: 'active',
    failing_since: null,
    paced_deliveries: 2,
  });
  for (const count of [2, 3]) {
    clock.advance(61_000);
    await paced.receiver.received(count);
    await settled(paced);
  }
  expect(paced.receiver.requests.map(({ envelope }) => Reflect.get(envelope, 'n'))).toEqual([1, 2, 3]);
  expect(paced.receiver.requests.map(({ headers }) => headers['x-service-attempt'])).toEqual(['1', '1', '1']);
});

const unpaced = await pacedWebhook(dealkeep, null);

test.each([0, -1, 1e9, 6001, 1.5, '60', Number.MAX_SAFE_INTEGER])(
  'max_per_minute is a whole number from 1 to 6000: %s is refused',
  async (max_per_minute) => {
    const { id, organization } = unpaced;
    const changes = Object.assign({ id }, { max_per_minute });
    await expect(updateManualWebhook(core, organization, changes as { id: string })).rejects.toMatchObject({
      code: 'VALIDATION_ERROR',
    });
    expect(await listWebhooksWithHealth(core, organization)).toMatchObject([{ max_per_minute: null }]);
  },
);

test('the operator and the owner see what waits for its pace; it is neither late nor overdue', async () => {
  const real = await startDealkeep({ timing: { sweepEveryMs: 100 }, metricsToken: 'token' });
  const paced = await pacedWebhook(real, 1);
  const api = real.as(paced.organization.key);
  for (const name of ['One', 'Two', 'Three']) await api.post('/leads', { name });
  await paced.receiver.received(1);
  await real.sql`update deliveries set due_at = due_at - interval '1 hour'`;
  await eventually(async () => {
    expect(await queueSummary(real.sql)).toMatchObject({
      waiting: 2,
      due: 2,
      due_paced: 2,
      due_paused: 0,
      in_flight: 0,
      oldest_due_seconds: 0,
    });
  });
  const status = await queueStatus(real.sql);
  expect(status.organizations).toMatchObject([
    { organization: paced.organization.slug, due: 2, due_paced: 2, oldest_due_seconds: 0 },
  ]);
  const [row] = await real.sql<
    { paced_until: string }[]
  >`select paced_until from webhooks where id = ${paced.id}`;
  expect(await listQueue(real.sql, {})).toMatchObject([
    { standing: 'paced', due: 2, max_per_minute: 1, next_attempt_at: row?.paced_until },
  ]);
  const shown = { max_per_minute: 1, paced_deliveries: 2, failing_since: null };
  expect(await getWebhookWithHealth(real.core, paced.organization, paced.id)).toMatchObject(shown);
  const metrics = await (
    await fetch(`${real.origin}/metrics`, { headers: { Authorization: 'Bearer token' } })
  ).text();
  for (const [state, count] of [
    ['paced', 2],
    ['due', 0],
    ['overdue', 0],
  ] as const) {
    expect(metrics).toContain(`dealkeep_deliveries_waiting{state="${state}"} ${count}`);
  }
});
