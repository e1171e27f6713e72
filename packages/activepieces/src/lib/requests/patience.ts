import { setTimeout as sleep } from 'node:timers/promises';
import {
  isTemporary,
  nextDelay,
  pauseAfter,
  retryAfterIn,
  secondsUntilNextWindow,
} from '@dealkeep/connectors';
import type { Outcome } from './send.ts';

/**
 * How long a caller waits altogether. A step of a flow has ten minutes and may stand in a loop of many; an editor and
 * the hook of a trigger have somebody waiting.
 */
export const patience = { step: 5 * 60_000, editor: 15_000 } as const;

/** What waiting goes by. */
export interface WaitingClock {
  /** Milliseconds. */
  now(): number;
  pause(milliseconds: number): Promise<unknown>;
}

const usualClock: WaitingClock = { now: Date.now, pause: sleep };

/** Sends again while the outcome may become another one and there is time; the last outcome is the result. */
export async function persistently(
  send: () => Promise<Outcome>,
  milliseconds: number,
  clock = usualClock,
): Promise<Outcome> {
  const end = clock.now() + milliseconds;
  for (let attempt = 1; ; attempt += 1) {
    const outcome = await send();
    const wait = delayAfter(outcome, attempt);
    if (wait === undefined || clock.now() + wait > end) return outcome;
    await clock.pause(wait);
  }
}

/** A refusal for too many requests says when to come back; what else passes is tried again a few times. */
function delayAfter(outcome: Outcome, attempt: number): number | undefined {
  if ('trouble' in outcome) {
    return outcome.trouble === 'no answer' ? nextDelay(attempt, undefined) : undefined;
  }
  const { status, content, header } = outcome;
  const seconds = retryAfterIn(header('retry-after'));
  if (status === 429) return (seconds ?? secondsUntilNextWindow) * 1000;
  return isTemporary(status, content) ? nextDelay(attempt, seconds) : undefined;
}

/** Waits after an answer that says how few requests are left, so that many steps at once come through without a 429. */
export async function slowDown({ header }: Extract<Outcome, { status: number }>): Promise<void> {
  const pause = pauseAfter(header);
  if (pause > 0) await sleep(pause);
}
