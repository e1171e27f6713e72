import { triggerEventOptions } from '../generated/constants.ts';

/** The choices of "Events" that are about records of these kinds, as the types of events begin: `lead`. */
export const eventsOf = (...records: readonly string[]): string[] =>
  triggerEventOptions
    .map(({ value }) => String(value))
    .filter((value) => records.includes(value.slice(0, value.indexOf('.'))));
