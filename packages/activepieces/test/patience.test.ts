import type { Outcome } from '@dealkeep/client/transport';
import { persistently } from '@dealkeep/connectors';
import { expect, test } from 'vitest';
import { patience, waitingFor } from '../src/lib/requests/patience.ts';

const answer = (status: number, retryAfter?: number): Outcome<string> => ({
  status,
  content: {},
  header: (name) => (name === 'retry-after' && retryAfter !== undefined ? String(retryAfter) : null),
});

/**
 * What waiting comes to where these answers are given, the last one for good; and for how many seconds it waited.
 */
async function waitedFor(milliseconds: number, ...answers: readonly Outcome<string>[]) {
  let waited = 0;
  const waiting = waitingFor(milliseconds);
  const begun = waiting.latestStart - milliseconds;
  const clock = {
    now: () => begun + waited,
    random: () => 0,
    async pause(pause: number) {
      waited += pause;
    },
  };
  let sent = 0;
  const send = async () => answers[Math.min(sent++, answers.length - 1)] ?? answer(200);
  const outcome = await persistently(send, 'POST', { ...waiting, clock });
  return { status: Object(outcome).status, seconds: waited / 1000, sent };
}

test.each([
  ['a step', 'five minutes', patience.step, 300],
  ['an editor or a hook', 'fifteen seconds', patience.editor, 15],
])('%s waits up to %s (rule activepieces 6)', async (_who, _long, milliseconds, seconds) => {
  expect(await waitedFor(milliseconds, answer(429, seconds), answer(200))).toEqual({
    status: 200,
    seconds,
    sent: 2,
  });
  expect(await waitedFor(milliseconds, answer(429, seconds + 1))).toEqual({
    status: 429,
    seconds: 0,
    sent: 1,
  });
  expect(await waitedFor(milliseconds, answer(429, 10))).toMatchObject({
    status: 429,
    seconds: Math.floor(seconds / 10) * 10,
  });
});

test('what else passes is waited for as well, a refusal is not (rule activepieces 6)', async () => {
  const { status, seconds } = await waitedFor(patience.step, answer(503), answer(200));
  expect([status, seconds > 0]).toEqual([200, true]);
  expect(await waitedFor(patience.step, answer(422), answer(200))).toEqual({
    status: 422,
    seconds: 0,
    sent: 1,
  });
});
