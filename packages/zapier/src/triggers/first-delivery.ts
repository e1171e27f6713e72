import { attemptsSpanSeconds } from '@dealkeep/contract';
import type { ZObject } from 'zapier-platform-core';

const day = 24 * 60 * 60;

/** As many whole days as the last attempt of a delivery can be away from the first. */
const rememberedSeconds = Math.ceil(attemptsSpanSeconds / day) * day;

/**
 * True when this hook meets the event for the first time. Best effort: the cache may forget, and when it fails the
 * Zap runs, because a lost event is worse than a doubled one.
 */
export async function isFirstDelivery(z: ZObject, hookId: string, eventId: string): Promise<boolean> {
  const key = `delivery/${hookId}/${eventId}`;
  try {
    if (await z.cache.get(key)) return false;
    // Only when still absent, so that of two attempts at once one wins.
    return (await z.cache.set(key, true, rememberedSeconds, undefined, true)) !== false;
  } catch (error) {
    z.console.error(`The cache does not answer, so a repeated event is not noticed: ${String(error)}`);
    return true;
  }
}
