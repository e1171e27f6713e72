import type { Core } from '../core.ts';
import { endSessionsOf, isLiving, type Session } from './sessions.ts';

/** A session as its person sees it. Moments are RFC 3339 in UTC. */
export interface OwnSession {
  created_at: string;
  /** To the minute. */
  last_seen_at: string;
  /** What the browser called itself when the person signed in. */
  user_agent: string | null;
  /** It is the one that asks. */
  current: boolean;
}

/** Where somebody is signed in: the session that asks first, then the latest used. */
export const listOwnSessions = (
  { sql, clock }: Pick<Core, 'sql' | 'clock'>,
  { personId, csrfToken }: Session,
): Promise<OwnSession[]> => sql<OwnSession[]>`
  select created_at, last_seen_at, user_agent, csrf_token = ${csrfToken} as current from console_sessions
  where person_id = ${personId} and ${isLiving(sql, clock.now())}
  order by current desc, last_seen_at desc, created_at desc`;

/** Ends every other session of the person. */
export const endOtherSessions = (
  { sql }: Pick<Core, 'sql'>,
  { personId, csrfToken }: Session,
): Promise<void> => endSessionsOf(sql, { person: personId, keptSession: csrfToken });
