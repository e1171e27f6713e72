/** Where the time comes from: the system in production, a hand-moved one in tests. */
export interface Clock {
  now(): Date;
}

/** The later of two RFC 3339 texts in UTC with milliseconds. */
export const laterOf = (one: string, other: string | null): string =>
  other !== null && other > one ? other : one;

export const systemClock: Clock = { now: () => new Date() };
