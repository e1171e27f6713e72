import { timingSafeEqual } from 'node:crypto';
import type { Language } from '@dealkeep/contract';
import type { Core } from '../core.ts';
import type { Credential, RolePermissions } from '../credentials/credential.ts';
import { randomToken, tokenHash } from '../credentials/token.ts';
import type { Statements } from '../database/connect.ts';
import { withoutNul } from '../database/without-nul.ts';
import { Problem } from '../problem.ts';
import { noPassword, verifyPassword } from '../users/password.ts';
import { countAttempt, forgetAttempts } from './sign-in-slowdown.ts';

const idleMs = 12 * 3_600_000;
const rotateAfterMs = 3_600_000;
/** Requests that were on their way when the token was rotated. */
const previousTokenMs = 60_000;
const seenNotedEveryMs = 60_000;

/** A session that was last used before this moment has ended. */
export const idleSince = (now: Date): string => new Date(now.getTime() - idleMs).toISOString();

/** A person who is signed in to the console. */
export interface Session {
  readonly user: Credential['user'];
  readonly organization: {
    readonly id: string;
    readonly name: string;
    readonly slug: string;
    readonly subscription: 'active' | 'lapsed';
    readonly currency: string;
    readonly timeZone: string;
  };
  /** Of the mails to the person and of the console; null when they chose none. */
  readonly language: Language | null;
  /** Goes with every form. */
  readonly csrfToken: string;
  /** Set when the token was rotated: what the browser is to send from now on. */
  readonly newToken: string | undefined;
}

/**
 * Signs a person in with a new session. Raises RATE_LIMITED after too many attempts, UNAUTHORIZED for a wrong address
 * or password, or a person who is not active, SERVICE_UNAVAILABLE when too many sign in at once.
 */
export async function signIn(
  core: Core,
  { email, password, userAgent }: { email: string; password: string; userAgent?: string | undefined },
): Promise<string> {
  await countAttempt(core, email);
  const [user] = await core.sql<
    { id: string; organization_id: string; password_hash: string; active: boolean }[]
  >`
    select id, organization_id, password_hash, active from users
    where lower(email) = lower(${withoutNul(email.trim())})`;
  // Where there is nobody, too, so that an unknown address takes as long as a known one.
  const right = await verifyPassword(password, user?.password_hash ?? noPassword);
  if (!user?.active || !right) throw new Problem('sign_in.wrong');
  await forgetAttempts(core, email);
  const token = randomToken('dk_ses_');
  const now = core.clock.now().toISOString();
  // Waits for whoever takes the access or sets a password meanwhile, and then makes no session.
  const [made] = await core.sql`
    with person as (
      update users set last_signed_in_at = ${now}
      where organization_id = ${user.organization_id} and id = ${user.id} and active
        and password_hash = ${user.password_hash}
      returning organization_id, id)
    insert into console_sessions (token_hash, organization_id, user_id, csrf_token, user_agent, created_at, rotated_at,
                                  last_seen_at)
    select ${tokenHash(token)}, organization_id, id, ${randomToken('')}, ${shortened(userAgent)}, ${now}, ${now}, ${now}
    from person returning 1`;
  if (!made) throw new Problem('sign_in.wrong');
  return token;
}

const longestUserAgent = 300;

/** What a browser says of itself is of any length. */
const shortened = (userAgent: string | undefined): string | null =>
  userAgent?.slice(0, longestUserAgent) ?? null;

interface SessionRow {
  token_hash: Uint8Array;
  csrf_token: string;
  rotated_at: string;
  last_seen_at: string;
  user_id: string;
  user_name: string;
  email: string;
  language: Language | null;
  permissions: RolePermissions | null;
  organization_id: string;
  organization_name: string;
  slug: string;
  subscription: 'active' | 'lapsed';
  currency: string;
  time_zone: string;
}

/**
 * The session of a token; undefined when there is none, it was idle for twelve hours, or its person is not active any
 * more. Rotates the token once an hour.
 */
export async function findSession(core: Core, token: string): Promise<Session | undefined> {
  const { sql, clock } = core;
  const now = clock.now();
  const hash = tokenHash(token);
  const previousSince = new Date(now.getTime() - previousTokenMs).toISOString();
  const [row] = await sql<SessionRow[]>`
    select s.token_hash, s.csrf_token, s.rotated_at, s.last_seen_at,
           u.id as user_id, u.name as user_name, u.email, u.language, r.permissions,
           o.id as organization_id, o.name as organization_name, o.slug, o.subscription, o.currency,
           o.time_zone
    from console_sessions s
    join users u on u.organization_id = s.organization_id and u.id = s.user_id
    join organizations o on o.id = s.organization_id
    left join roles r on r.organization_id = u.organization_id and r.id = u.role_id
    where (s.token_hash = ${hash} or (s.previous_token_hash = ${hash} and s.rotated_at > ${previousSince}))
      and s.last_seen_at > ${idleSince(now)} and u.active`;
  if (!row) return undefined;
  return {
    user: {
      ...{ id: row.user_id, name: row.user_name, email: row.email, active: true },
      permissions: row.permissions ?? 'owner',
    },
    organization: {
      ...{ id: row.organization_id, name: row.organization_name, slug: row.slug },
      ...{ subscription: row.subscription, currency: row.currency },
      timeZone: row.time_zone,
    },
    language: row.language,
    csrfToken: row.csrf_token,
    newToken: await keepAlive(core, row, hash),
  };
}

/** Notes that the session lives, and rotates its token when its hour is over; of two requests at once, one does. */
async function keepAlive({ sql, clock }: Core, row: SessionRow, hash: Buffer): Promise<string | undefined> {
  const now = clock.now();
  const current = timingSafeEqual(row.token_hash, hash);
  if (current && now.getTime() - Date.parse(row.rotated_at) >= rotateAfterMs) {
    const token = randomToken('dk_ses_');
    const [rotated] = await sql`
      update console_sessions set token_hash = ${tokenHash(token)}, previous_token_hash = token_hash,
        rotated_at = ${now.toISOString()}, last_seen_at = ${now.toISOString()}
      where token_hash = ${hash} returning 1`;
    return rotated ? token : undefined;
  }
  if (now.getTime() - Date.parse(row.last_seen_at) >= seenNotedEveryMs) {
    await sql`
      update console_sessions set last_seen_at = ${now.toISOString()} where token_hash = ${row.token_hash}`;
  }
  return undefined;
}

/** Signs a person out everywhere, but for a session that its CSRF token names. */
export async function endSessionsOf(
  sql: Statements,
  { organization, id, keptSession = null }: { organization: string; id: string; keptSession?: string | null },
): Promise<void> {
  await sql`
    delete from console_sessions
    where organization_id = ${organization} and user_id = ${id} and csrf_token is distinct from ${keptSession}`;
}

/** Signs out. */
export async function endSession({ sql }: Core, token: string): Promise<void> {
  const hash = tokenHash(token);
  await sql`delete from console_sessions where token_hash = ${hash} or previous_token_hash = ${hash}`;
}

/** Removes what nobody can use any more. */
export async function removeOldSessions({ sql, clock }: Core): Promise<void> {
  const now = clock.now();
  const aDayAgo = new Date(now.getTime() - 24 * 3_600_000).toISOString();
  await sql`delete from console_sessions where last_seen_at < ${idleSince(now)}`;
  await sql`delete from sign_in_attempts where last_at < ${aDayAgo}`;
}
