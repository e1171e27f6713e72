import { randomUUIDv7 } from 'node:crypto';
import { eventually, startDealkeep, startHookReceiver, type TestDealkeep } from '@dealkeep/testing';
import { expect, test } from 'vitest';
import { newWebhookSecret, placeOfSecret } from '../../src/delivering/webhooks/signing-keys.ts';
import { attemptsPerQuickWebhook, attemptsPerWebhook } from '../../src/foundations/operating-limits.ts';
import { addBacklog } from './backlog.ts';
import { type Subscriber, subscribe } from './subscriber.ts';

/** So many more webhooks of the same organization with the same target, each with a secret of its own. */
async function addWebhooks({ sql, core }: TestDealkeep, { organization, hookId }: Subscriber, count: number) {
  const [known] = await sql<{ id: string }[]>`
    select organization_id, api_key_id, name, target_url, events, created_at from webhooks where id = ${hookId}`;
  const more = Array.from({ length: count }, () => {
    const key = { organization_id: organization.id, id: randomUUIDv7() };
    return { ...known, ...key, secret: core.secrets.encrypt(newWebhookSecret(), placeOfSecret(key)) };
  });
  await sql`insert into webhooks ${sql(more)}`;
}

test('a backlog of 30,000 of one webhook keeps 500 others waiting for nothing: all of theirs arrive while it gets no answer, and while it is sent as fast as it takes it', async () => {
  const [concurrency, others, waiting] = [200, 500, 30_000];
  // However long the machine takes for them: what gets no answer below gets none until the end.
  const timing = { slowAfterMs: 110_000, attemptLimitMs: 115_000 };
  const dealkeep = await startDealkeep({ concurrency, timing });
  const [busy, beside] = [await startHookReceiver(), await startHookReceiver()];
  const backlog = await subscribe(dealkeep, busy.url);
  await backlog.createLead();
  await backlog.logged(1);
  const many = await subscribe(dealkeep, beside.url);
  await addWebhooks(dealkeep, many, others - 1);
  await addBacklog(dealkeep, backlog, waiting);
  await busy.received(1000);

  // As fast as it takes it: while all of the others are served once, it gets no more than its share of the slots.
  const before = busy.requests.length;
  await many.createLead();
  await beside.received(others);
  expect(busy.requests.length - before).toBeLessThan(10 * others);

  let answer = (): void => {};
  const held = new Promise<void>((resolve) => {
    answer = resolve;
  });
  let open = 0;
  busy.answerWith(async () => {
    open += 1;
    await held;
    return 200;
  });
  // It keeps the slots that it has, as many as it bore by then; those that run out of time give way to one at a
  // time.
  await eventually(() => expect(open).toBeGreaterThanOrEqual(attemptsPerWebhook));
  await many.createLead();
  await beside.received(2 * others);
  expect(open).toBeLessThan(2 * attemptsPerQuickWebhook);
  expect((await backlog.pending()).length).toBeGreaterThan(waiting / 2);
  answer();
  await dealkeep.sql`delete from deliveries where webhook_id = ${backlog.hookId}`;
});
