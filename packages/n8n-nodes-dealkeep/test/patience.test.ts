import { type Outcome, sendPersistently } from '@dealkeep/client/transport';
import { describe, expect, test } from 'vitest';
import { editorPatience, type Patience, workflowPatience } from '../nodes/shared/transport/patience.ts';

const answer = (status: number, code: string, retryAfter?: number): Outcome<string> => ({
  status,
  header: (name) => (name === 'retry-after' ? retryAfter?.toString() : undefined),
  content: { error: { code } },
});
const failure = answer(503, 'SERVICE_UNAVAILABLE');
const limited = (seconds: number) => answer(429, 'RATE_LIMITED', seconds);
const twin = answer(409, 'IDEMPOTENCY_IN_PROGRESS', 1);

/** How often a request is repeated by which each of these outcomes comes so often, the last one for good. */
async function repetitions(plan: Patience, ...outcomes: readonly (readonly [number, Outcome<string>])[]) {
  const coming = outcomes.flatMap(([times, outcome]) => Array.from({ length: times }, () => outcome));
  let sent = 0;
  await sendPersistently({
    send: async () => coming[sent++] ?? coming.at(-1) ?? expect.unreachable(),
    method: 'POST',
    plan,
    clock: { now: () => 0, random: () => 0.99 },
    pause: async () => undefined,
  });
  return sent - 1;
}

describe('in a workflow (rule n8n 11)', () => {
  test('a request is tried again 5 times after failures, 120 times for the limit, 60 times for its own first try', async () => {
    expect(await repetitions(workflowPatience, [1, failure])).toBe(5);
    expect(await repetitions(workflowPatience, [1, limited(5)])).toBe(120);
    expect(await repetitions(workflowPatience, [1, twin])).toBe(60);
  });

  test('one cause takes nothing from the others', async () => {
    const all = [
      [5, failure],
      [120, limited(5)],
      [60, twin],
      [1, failure],
    ] as const;
    expect(await repetitions(workflowPatience, ...all)).toBe(185);
  });

  test('a wait takes up to 5 minutes', async () => {
    expect(await repetitions(workflowPatience, [1, limited(300)])).toBe(120);
    expect(await repetitions(workflowPatience, [1, limited(301)])).toBe(0);
  });
});

test('in the editor a request is tried again twice, after up to 10 seconds (rule n8n 11)', async () => {
  for (const outcome of [failure, limited(10), twin]) {
    expect(await repetitions(editorPatience, [1, outcome])).toBe(2);
  }
  expect(await repetitions(editorPatience, [1, limited(11)])).toBe(0);
});
