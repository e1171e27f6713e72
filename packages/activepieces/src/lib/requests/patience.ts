import { setTimeout as sleep } from 'node:timers/promises';
import type { RetryPlan } from '@dealkeep/client/transport';
import type { Waiting } from '@dealkeep/connectors';

/**
 * How long a caller waits altogether. A step of a flow has ten minutes and may stand in a loop of many; an editor
 * and the hook of a trigger have somebody waiting.
 */
export const patience = { step: 5 * 60_000, editor: 15_000 } as const;

/**
 * What fails is tried again a few times; a refusal for too many requests says when to come back, as often as it
 * takes.
 */
const plan: RetryPlan = { repetitions: { failure: 3 } };

/** How a call waits that begins now, and may wait so many milliseconds altogether. */
export function waitingFor(milliseconds: number): Waiting {
  const clock = { now: Date.now, random: Math.random, pause: (pause: number) => sleep(pause) };
  return { plan, latestStart: clock.now() + milliseconds, clock };
}
