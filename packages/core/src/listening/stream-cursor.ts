import type { Clock } from '../clock.ts';
import { decodeCursor, encodeCursor } from '../lists/cursor.ts';
import type { Secrets } from '../secrets.ts';
import type { Place } from './read-page.ts';

/** A stream that broke off is taken up where it was within this time. */
const resumableMs = 10 * 60_000;

interface Within {
  secrets: Secrets;
  clock: Clock;
  organization: string;
}

const fingerprint = (organization: string): string => `events of ${organization}`;

/** What a client gives back to go on behind all that it has been sent. */
export const streamCursor = ({ secrets, clock, organization }: Within, { since }: Place): string =>
  encodeCursor(secrets, fingerprint(organization), { value: since, id: clock.now().toISOString() });

/** Undefined when it is too old. Raises INVALID_CURSOR for anything that is no cursor of this organization's events. */
export function placeOf({ secrets, clock, organization }: Within, cursor: string): Place | undefined {
  const { value, id: moment } = decodeCursor(secrets, fingerprint(organization), cursor);
  const age = clock.now().getTime() - Date.parse(moment);
  return age <= resumableMs ? { since: String(value) } : undefined;
}
