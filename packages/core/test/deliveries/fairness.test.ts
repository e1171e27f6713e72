import { type Clock, systemClock } from '@dealkeep/core';
import { startDealkeep } from '@dealkeep/testing';
import { expect, test, vi } from 'vitest';
import { startHookReceiver } from './hook-receiver.ts';
import { subscribe } from './subscriber.ts';

test('a hanging hook with a backlog does not delay another one, and costs no busy loop', async () => {
  let looks = 0;
  const clock: Clock = {
    now() {
      looks += 1;
      return systemClock.now();
    },
  };
  const dealkeep = await startDealkeep({
    clock,
    concurrency: 10,
    timing: { attemptLimitMs: 800, slowAfterMs: 200 },
  });
  const dead = await startHookReceiver();
  let open = 0;
  const openAtOnce: number[] = [];
  dead.answerWith(() => {
    open += 1;
    openAtOnce.push(open);
    setTimeout(() => {
      open -= 1;
    }, 800);
    return 'hang';
  });
  const alive = await startHookReceiver();
  const hanging = await subscribe(dealkeep, dead.url);
  for (let made = 0; made < 30; made += 1) await hanging.createLead();
  await dead.received(4);
  const healthy = await subscribe(dealkeep, alive.url);
  const took: number[] = [];
  for (let made = 0; made < 25; made += 1) {
    const started = performance.now();
    await healthy.createLead();
    await alive.received(made + 1);
    took.push(performance.now() - started);
  }
  expect(Math.max(...took)).toBeLessThan(1000);
  expect(took.sort((a, b) => a - b)[12]).toBeLessThan(200);

  // While only the hanging one has something waiting, nobody looks more often than the sweep and the ends of attempts.
  await hanging.logged(5);
  looks = 0;
  await hanging.logged(7);
  expect(looks).toBeLessThan(60);
  expect(Math.max(...openAtOnce.slice(0, 8))).toBeLessThanOrEqual(5);
  expect(openAtOnce.slice(5).every((count) => count <= 2)).toBe(true);
});

test('a large backlog shares with a fresh event of another hook', async () => {
  const dealkeep = await startDealkeep({ concurrency: 8, worker: true });
  const busy = await startHookReceiver();
  busy.answerWith(async () => {
    await new Promise((resolve) => setTimeout(resolve, 20));
    return 200;
  });
  const fresh = await startHookReceiver();
  const backlog = await subscribe(dealkeep, busy.url);
  await backlog.createLead();
  await backlog.logged(1);
  const waiting = 400;
  await dealkeep.sql`
    with event as (
      insert into events (organization_id, id, type, record_id, occurred_at, envelope)
      select organization_id, 'evt_' || lpad(n::text, 10, '0'), type, record_id, occurred_at, envelope
      from events cross join generate_series(1, ${waiting}) n
      where organization_id = ${backlog.organization.id} returning organization_id, id)
    insert into deliveries (id, organization_id, webhook_id, event_id, due_at, created_at)
    select gen_random_uuid(), organization_id, ${backlog.hookId}, id, now() - interval '1 hour', now() from event`;
  const other = await subscribe(dealkeep, fresh.url);
  await busy.received(50);
  const started = performance.now();
  await other.createLead();
  await fresh.received(1);
  expect(performance.now() - started).toBeLessThan(500);
  expect((await backlog.pending()).length).toBeGreaterThan(0);
  await vi.waitFor(async () => expect(await backlog.pending()).toEqual([]), {
    timeout: 20_000,
    interval: 50,
  });
  expect(busy.requests).toHaveLength(waiting + 1);
});

test('a hook of which nothing is known gives its fast place up before others do, so that thousands may be tried', async () => {
  const metricsToken = 'the-token-of-the-metrics';
  const dealkeep = await startDealkeep({ metricsToken, timing: { slowAfterMs: 60_000 } });
  const receiver = await startHookReceiver();
  const known = await subscribe(dealkeep, receiver.url);
  await known.createLead();
  await known.logged(1);
  receiver.answerWith(() => 'hang');
  await known.createLead();
  await (await subscribe(dealkeep, receiver.url)).createLead();
  await receiver.received(3);
  const headers = { authorization: `Bearer ${metricsToken}` };
  await vi.waitFor(
    async () => {
      const metrics = await (await fetch(`${dealkeep.origin}/metrics`, { headers })).text();
      expect(metrics).toContain('dealkeep_deliveries_in_flight{lane="slow"} 1');
      expect(metrics).toContain('dealkeep_deliveries_in_flight{lane="fast"} 1');
    },
    { timeout: 10_000, interval: 50 },
  );
});
