import { createClient } from '@dealkeep/client';
import { expect, test } from 'vitest';
import { apiKey, client } from './client-in-trouble.ts';
import { answer, refuse, silence } from './servers/scripted-api.ts';

test('the signal of the caller ends a call that is under way, with its reason', async () => {
  const { baseUrl } = await client(silence);
  const controller = new AbortController();
  const reason = new Error('The visitor left.');
  const created = createClient({
    baseUrl,
    apiKey,
    fetch: (url, init) => {
      queueMicrotask(() => controller.abort(reason));
      return fetch(url, init);
    },
  }).leads.create({}, { signal: controller.signal });

  await expect(created).rejects.toBe(reason);
});

test('the signal of the caller ends a call that waits for its next attempt', async () => {
  const { baseUrl, seen } = await client(refuse(429, 'RATE_LIMITED', { 'Retry-After': '60' }));
  const controller = new AbortController();
  const reason = new Error('The visitor left.');
  const call = createClient({ baseUrl, apiKey, timing: { random: () => abortSoon(controller, reason) } });

  await expect(call.leads.get('lead-1', { signal: controller.signal })).rejects.toBe(reason);
  expect(seen).toHaveLength(1);
});

test('a signal that was aborted before lets nothing be sent', async () => {
  const { dealkeep, seen } = await client(answer(200, { data: {} }));
  const reason = new Error('Too late.');

  await expect(dealkeep.leads.get('lead-1', { signal: AbortSignal.abort(reason) })).rejects.toBe(reason);
  expect(seen).toHaveLength(0);
});

/** Chance is asked for right before the wait begins. */
function abortSoon(controller: AbortController, reason: Error): number {
  setTimeout(() => controller.abort(reason));
  return 0;
}
