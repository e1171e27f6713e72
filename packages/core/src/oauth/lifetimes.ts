/** Seconds that an authorization code may wait to be redeemed (decisions, section 8). */
export const codeSeconds = 60;
/** Seconds that an access token lives (specification, Limits). */
export const accessTokenSeconds = 3600;
/** Seconds during which a client whose response was lost gets the same answer again (decisions, section 8). */
export const graceSeconds = 60;
/** Days after its last use when a connection ends (specification, Limits). */
export const idleDays = 180;

const secondMs = 1000;
const dayMs = 86_400_000;

export const later = (moment: Date, seconds: number): string =>
  new Date(moment.getTime() + seconds * secondMs).toISOString();

/** A connection last used before this moment has ended. */
export const idleSince = (now: Date): string => new Date(now.getTime() - idleDays * dayMs).toISOString();
