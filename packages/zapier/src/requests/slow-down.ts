import { pauseAfter } from '@dealkeep/connectors';
import type { HttpResponse, ZObject } from 'zapier-platform-core';
import { runClock } from './run-clock.ts';
import { hasTimeFor, timeLeft } from './run-time.ts';

/** Waits after an answer that says how few requests are left, so that many steps at once come through without a 429. */
export async function slowDown(z: ZObject, response: HttpResponse<unknown>): Promise<void> {
  const pause = pauseAfter((name) => response.getHeader(name));
  if (pause > 0 && hasTimeFor(pause, timeLeft(z))) await runClock.pause(pause);
}
