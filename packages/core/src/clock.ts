/** Where the time comes from: the system in production, a hand-moved one in tests. */
export interface Clock {
  now(): Date;
}

export const systemClock: Clock = { now: () => new Date() };
