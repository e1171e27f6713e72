import { setTimeout as sleep } from 'node:timers/promises';
import { type Clock, systemClock } from '@dealkeep/core/foundations';
import { eventually, startDealkeep, startHookReceiver } from '@dealkeep/testing';
import { expect, onTestFinished, test, vi } from 'vitest';
import { queueLookedAtEveryMs } from '../../src/foundations/operating-limits.ts';
import { startAnotherWorker } from './another-worker.ts';
import { addBacklog } from './backlog.ts';
import { subscribe } from './subscriber.ts';

test('a hanging hook with a backlog does not delay another one, and costs no busy loop', async () => {
  const patient = await startDealkeep({
    concurrency: 10,
    timing: { attemptLimitMs: 100_000, slowAfterMs: 100_000 },
  });
  const [mute, alive] = [await startHookReceiver(), await startHookReceiver()];
  mute.answerWith('hang');
  const silent = await subscribe(patient, mute.url);
  for (let made = 0; made < 30; made += 1) await silent.createLead();
  await mute.received(1);
  const healthy = await subscribe(patient, alive.url);
  for (let made = 1; made <= 25; made += 1) {
    await healthy.createLead();
    await alive.received(made);
  }
  // None of them waited for one that hangs: all of those hang still, and they are few.
  expect(mute.requests.length).toBeLessThanOrEqual(4);
  expect(await silent.log()).toEqual([]);

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
    timing: { attemptLimitMs: 400, slowAfterMs: 100, sweepEveryMs: queueLookedAtEveryMs },
  });
  const dead = await startHookReceiver();
  let open = 0;
  const openAtOnce: number[] = [];
  dead.answerWith(() => {
    open += 1;
    openAtOnce.push(open);
    setTimeout(() => {
      open -= 1;
    }, 400);
    return 'hang';
  });
  const hanging = await subscribe(dealkeep, dead.url);
  for (let made = 0; made < 30; made += 1) await hanging.createLead();
  // While only the hanging one has something waiting, nobody looks more often than the sweep and the ends of
  // attempts.
  await hanging.logged(5);
  looks = 0;
  const began = performance.now();
  await hanging.logged(7);
  expect((looks * 1000) / (performance.now() - began)).toBeLessThan(40);
  expect(Math.max(...openAtOnce.slice(0, 8))).toBeLessThanOrEqual(5);
  expect(openAtOnce.slice(5).every((count) => count <= 2)).toBe(true);
});

test('a large backlog shares with a fresh event of another hook', async () => {
  const waiting = 400;
  const dealkeep = await startDealkeep({ concurrency: 8, worker: true });
  const busy = await startHookReceiver();
  const fresh = await startHookReceiver();
  const { promise: freshCame, resolve: letGo } = Promise.withResolvers<void>();
  // However slowly the fresh event comes about, the backlog is not at its end by then.
  busy.answerWith(async () => {
    await (busy.requests.length < waiting / 2 ? sleep(20) : freshCame);
    return 200;
  });
  const backlog = await subscribe(dealkeep, busy.url);
  await backlog.createLead();
  await backlog.logged(1);
  await addBacklog(dealkeep, backlog, waiting);
  const other = await subscribe(dealkeep, fresh.url);
  await busy.received(50);
  await other.createLead();
  await fresh.received(1);
  expect(busy.requests.length).toBeLessThan((waiting * 3) / 4);
  expect((await backlog.pending()).length).toBeGreaterThan(0);
  letGo();
  await eventually(async () => expect(await backlog.pending()).toEqual([]));
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
  await eventually(async () => {
    const metrics = await (await fetch(`${dealkeep.origin}/metrics`, { headers })).text();
    expect(metrics).toContain('dealkeep_deliveries_in_flight{lane="slow"} 1');
    expect(metrics).toContain('dealkeep_deliveries_in_flight{lane="fast"} 1');
  });
});

test('a busy hook gets more in flight while it answers quickly, 32 at most, and fewer when it slows', async () => {
  const timing = { attemptLimitMs: 100_000, slowAfterMs: 100_000 };
  const dealkeep = await startDealkeep({ concurrency: 200, timing });
  const receiver = await startHookReceiver();
  const busy = await subscribe(dealkeep, receiver.url);
  await busy.createLead();
  await busy.logged(1);
  // How long an answer takes is told by a stopwatch that only this test moves.
  let shown = performance.now();
  const stopwatch = vi.spyOn(performance, 'now').mockImplementation(() => shown);
  onTestFinished(() => stopwatch.mockRestore());
  const open: (() => void)[] = [];
  receiver.answerWith(() => new Promise((resolve) => open.push(() => resolve(200))));
  /** So many are in flight, and no more come before one of them is answered. */
  const inFlight = async (count: number): Promise<void> => {
    await eventually(() => expect(open.length).toBeGreaterThanOrEqual(count), { interval: 5 });
    expect(open).toHaveLength(count);
  };
  await addBacklog(dealkeep, busy, 300);
  for (let most = 4; most < 32; most += 1) {
    await inFlight(most);
    open.shift()?.();
  }
  for (let more = 0; more < 8; more += 1) {
    await inFlight(32);
    open.shift()?.();
  }
  await inFlight(32);
  // All of these have taken too long, and of those that follow each one.
  for (const answer of open.splice(0)) {
    shown += 300;
    answer();
  }
  for (let slow = 0; slow < 10; slow += 1) {
    await inFlight(4);
    shown += 300;
    open.shift()?.();
  }
});

test('a second worker soon has its share of backlogs that the first one was at already', async () => {
  const dealkeep = await startDealkeep({ concurrency: 8 });
  const receiver = await startHookReceiver();
  // Slower and slower, so that they are far from their ends however long the other worker takes to start.
  receiver.answerWith(async () => {
    await sleep(receiver.requests.length < 400 ? 100 : 1000);
    return 200;
  });
  const first = await subscribe(dealkeep, receiver.url);
  const { organization } = first;
  const subscribers = [first];
  for (let made = 1; made < 4; made += 1) {
    subscribers.push(await subscribe(dealkeep, receiver.url, { organization }));
  }
  await first.createLead();
  await receiver.received(4);
  for (const subscriber of subscribers) await addBacklog(dealkeep, subscriber, 450);
  await receiver.received(30);
  const { sql } = dealkeep;
  await startAnotherWorker(dealkeep, { concurrency: 8 });
  await eventually(async () => {
    const workers = await sql`select distinct worker_id from deliveries where worker_id is not null`;
    expect(workers).toHaveLength(2);
  });
  // Far from the end of any of them.
  for (const { pending } of subscribers) expect((await pending()).length).toBeGreaterThan(200);
});
