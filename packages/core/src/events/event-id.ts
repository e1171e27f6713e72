import { randomUUIDv7 } from 'node:crypto';

/** A new id of an event: `evt_` and a UUID that sorts by time. */
export const newEventId = (): string => `evt_${randomUUIDv7().replaceAll('-', '')}`;
