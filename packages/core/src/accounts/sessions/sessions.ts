import { timingSafeEqual } from 'node:crypto';
import type { Language } from '@dealkeep/contract';
import { addOwnAuditEntry, membershipsOf, type OwnMembership } from '../../change/audit/own-account.ts';
import type { Services } from '../../change/services.ts';
import type { Clock } from '../../foundations/clock.ts';
import type { Fragment, Statements, Transaction } from '../../foundations/database/connect.ts';
import { inTransaction } from '../../foundations/database/in-transaction.ts';
import {
  formerSessionTokenMs,
  sessionIdleMs,
  sessionLifetimeMs,
  sessionTokenRotatedAfterMs,
  sessionUseNotedEveryMs,
} from '../../foundations/operating-limits.ts';
import { notFound, Problem } from '../../foundations/problem.ts';
import { randomToken, tokenHash } from '../../identity/credentials/credential.ts';
import {
  type Member,
  type MemberRow,
  memberColumns,
  memberOf,
  organizationMoved,
} from '../../identity/credentials/member.ts';
import type { RequestOrigin } from '../../identity/credentials/request-origin.ts';
import { knownBrowserToken, type PasswordClaim, type ProvedUser, provePassword } from './prove-password.ts';

const before = (now: Date, ms: number): string => new Date(now.getTime() - ms).toISOString();

/** Whether a row of `console_sessions` still counts: not idle for twelve hours, and not thirty days old. */
export const isLiving = (sql: Statements, now: Date): Fragment => sql`
  (console_sessions.last_seen_at > ${before(now, sessionIdleMs)} and console_sessions.created_at > ${before(now, sessionLifetimeMs)})`;

/** Somebody who is signed in to the console, in one of the organizations that they belong to. */
export interface Session extends Member {
  /** What they sign in with, in all their organizations: their row of `users`. */
  readonly accountId: string;
  /** All that the user can switch to, this one among them, by name. */
  readonly organizations: readonly { readonly id: string; readonly name: string }[];
  /** Of the mails to the user and of the console; null when they chose none. */
  readonly language: Language | null;
  /** They have put the guide of the first page away. */
  readonly guideDismissed?: boolean;
  /** Goes with every form. */
  readonly csrfToken: string;
  /** Set when the token was rotated: what the browser is to send from now on. */
  readonly newToken: string | undefined;
  /** Where its request comes from, for the audit log. */
  readonly from?: RequestOrigin | undefined;
}

export interface SignedIn {
  /** Of the session. */
  token: string;
  /** For the browser to carry from now on, for `knownBrowserSeconds`. */
  knownBrowser: string;
}

/**
 * Signs a user in with a new session, in the organization that they were in last. Raises RATE_LIMITED after too many
 * failures, UNAUTHORIZED for a wrong address or password, or a user who is not active anywhere, SERVICE_UNAVAILABLE
 * when too many sign in at once.
 */
export async function signIn(
  core: Services,
  { userAgent, ...claim }: PasswordClaim & { userAgent?: string | undefined },
): Promise<SignedIn> {
  const user = await provePassword(core, claim);
  const token = await inTransaction(core.sql, (sql) =>
    openSession({ ...core, sql }, user, { userAgent, from: claim.from }),
  );
  if (token === undefined) throw (await movedOrganizationOf(core, user.id)) ?? new Problem('sign_in.wrong');
  return { token, knownBrowser: knownBrowserToken(core, user.id) };
}

/** Where the organization of somebody who has no other one is now; asked when their password was right. */
async function movedOrganizationOf({ sql }: Services, person: string): Promise<Problem | undefined> {
  const [moved] = await sql<{ moved_to: string | null; move_ended_at: string | null }[]>`
    select o.moved_to, o.move_ended_at from memberships m join organizations o on o.id = m.organization_id
    where m.person_id = ${person} and m.active and o.moved_at is not null
    order by m.last_signed_in_at desc nulls last limit 1`;
  return moved && organizationMoved(moved);
}

/**
 * A session of somebody whose password was right: in an organization that they belong to, the one that they were in
 * last when none is named. Undefined when they are not active there, or a new password was set meanwhile.
 */
export async function openSession(
  { sql, clock }: { readonly sql: Transaction; readonly clock: Clock },
  { id: accountId, passwordHash }: ProvedUser,
  {
    organization = null,
    userAgent,
    from,
  }: {
    organization?: string | null;
    userAgent?: string | undefined;
    from?: RequestOrigin | undefined;
  },
): Promise<string | undefined> {
  const token = randomToken('dk_ses_');
  const now = clock.now().toISOString();
  // Waits for a change of the access or the password that is under way, and makes no session after it.
  const members = await sql<OwnMembership[]>`
    with account as materialized (
      select id from users where id = ${accountId} and password_hash = ${passwordHash} for share),
    membership as (
      update memberships m set last_signed_in_at = ${now}
      where m.active and m.person_id = (select id from account) and m.organization_id = (
        select organization_id from memberships
        join organizations o on o.id = organization_id and o.moved_at is null
        where person_id = ${accountId} and active and (${organization}::uuid is null or organization_id = ${organization})
        order by last_signed_in_at desc nulls last, memberships.created_at, memberships.id limit 1)
      returning m.organization_id, m.id, m.person_id, m.name),
    made as (
      insert into console_sessions (token_hash, person_id, organization_id, user_id, csrf_token, user_agent, created_at,
                                    rotated_at, last_seen_at)
      select ${tokenHash(token)}, person_id, organization_id, id, ${randomToken('')}, ${shortened(userAgent)}, ${now},
             ${now}, ${now}
      from membership)
    select organization_id, id, name from membership`;
  await addOwnAuditEntry(sql, { operation: 'account.sign-in', now, from }, members);
  return members.length > 0 ? token : undefined;
}

const longestUserAgent = 300;

/** What a browser says of itself is of any length. */
const shortened = (userAgent: string | undefined): string | null =>
  userAgent?.slice(0, longestUserAgent) ?? null;

interface SessionRow extends MemberRow {
  token_hash: Uint8Array;
  person_id: string;
  organizations: { id: string; name: string }[];
  csrf_token: string;
  rotated_at: string;
  last_seen_at: string;
  language: Language | null;
  guide_dismissed: boolean;
}

/**
 * The session of a token; undefined when there is none, it was idle for twelve hours or is thirty days old, or its
 * user is not active any more. Rotates the token once an hour.
 */
export async function findSession(
  core: Services,
  token: string,
  from?: RequestOrigin,
): Promise<Session | undefined> {
  const { sql, clock } = core;
  const now = clock.now();
  const hash = tokenHash(token);
  const [row] = await sql<SessionRow[]>`
    select s.token_hash, s.person_id, s.csrf_token, s.rotated_at, s.last_seen_at,
           m.language, m.guide_dismissed_at is not null as guide_dismissed, ${memberColumns(sql)},
           (select json_agg(json_build_object('id', other.id, 'name', other.name)
                            order by other.name collate "sk-x-icu", other.id)
            from memberships own
            join organizations other on other.id = own.organization_id and other.moved_at is null
            where own.person_id = s.person_id and own.active) as organizations
    from (
      select * from console_sessions
      where (token_hash = ${hash} or (previous_token_hash = ${hash} and rotated_at > ${before(now, formerSessionTokenMs)}))
        and ${isLiving(sql, now)}) s
    join users u on u.id = s.person_id
    join memberships m on m.organization_id = s.organization_id and m.id = s.user_id and m.active
    join organizations o on o.id = s.organization_id
    left join roles r on r.organization_id = m.organization_id and r.id = m.role_id`;
  if (!row) return undefined;
  return {
    accountId: row.person_id,
    ...memberOf(row),
    organizations: row.organizations,
    language: row.language,
    guideDismissed: row.guide_dismissed,
    csrfToken: row.csrf_token,
    newToken: await keepAlive(core, row, hash),
    from,
  };
}

/** Notes that the session lives, and rotates its token when its hour is over; of two requests at once, one does. */
async function keepAlive(
  { sql, clock }: Services,
  row: SessionRow,
  hash: Buffer,
): Promise<string | undefined> {
  const now = clock.now();
  const current = timingSafeEqual(row.token_hash, hash);
  if (current && now.getTime() - Date.parse(row.rotated_at) >= sessionTokenRotatedAfterMs) {
    const token = randomToken('dk_ses_');
    const [rotated] = await sql`
      update console_sessions set token_hash = ${tokenHash(token)}, previous_token_hash = token_hash,
        rotated_at = ${now.toISOString()}, last_seen_at = ${now.toISOString()}
      where token_hash = ${hash} returning 1`;
    return rotated ? token : undefined;
  }
  if (now.getTime() - Date.parse(row.last_seen_at) >= sessionUseNotedEveryMs) {
    await sql`
      update console_sessions set last_seen_at = ${now.toISOString()} where token_hash = ${row.token_hash}`;
  }
  return undefined;
}

/** Signs a user out everywhere, but for a session that its CSRF token names. */
export async function endSessionsOf(
  sql: Statements,
  { accountId, keptSession = null }: { accountId: string; keptSession?: string | null },
): Promise<void> {
  await sql`
    delete from console_sessions where person_id = ${accountId} and csrf_token is distinct from ${keptSession}`;
}

/**
 * Moves the sessions of a user out of an organization that they no longer belong to: each goes on in the
 * organization that they were in last, with a new CSRF token, so that a form of the former is not carried out in the
 * latter. Without another organization it ends.
 */
export async function leaveOrganization(
  sql: Statements,
  { organization, id }: { organization: string; id: string },
): Promise<void> {
  await sql`
    update console_sessions s
    set organization_id = other.organization_id, user_id = other.id,
        csrf_token = replace(gen_random_uuid()::text || gen_random_uuid()::text, '-', '')
    from (select m.organization_id, m.id from memberships m
          join memberships left_one on left_one.person_id = m.person_id
          where left_one.organization_id = ${organization} and left_one.id = ${id} and m.active
            and m.organization_id <> ${organization}
          order by m.last_signed_in_at desc nulls last, m.created_at, m.id limit 1) other
    where s.organization_id = ${organization} and s.user_id = ${id}`;
  await sql`delete from console_sessions where organization_id = ${organization} and user_id = ${id}`;
}

/** Signs out. */
export async function endSession(
  { sql, clock }: Services,
  token: string,
  from?: RequestOrigin,
): Promise<void> {
  const hash = tokenHash(token);
  const entry = { operation: 'account.sign-out', now: clock.now().toISOString(), from } as const;
  await inTransaction(sql, async (tx) => {
    const members = await tx<OwnMembership[]>`
      with ended as (
        delete from console_sessions where token_hash = ${hash} or previous_token_hash = ${hash}
        returning organization_id, user_id)
      select m.organization_id, m.id, m.name from ended
      join memberships m on m.organization_id = ended.organization_id and m.id = ended.user_id`;
    await addOwnAuditEntry(tx, entry, members);
  });
}

/** A session as its user sees it. Moments are RFC 3339 in UTC. */
export interface OwnSession {
  created_at: string;
  /** To the minute. */
  last_seen_at: string;
  /** What the browser called itself when the user signed in. */
  user_agent: string | null;
  /** Whether it is the session that asks. */
  current: boolean;
}

/** Where somebody is signed in: the session that asks first, then the latest used. */
export const listOwnSessions = (
  { sql, clock }: Pick<Services, 'sql' | 'clock'>,
  { accountId, csrfToken }: Session,
): Promise<OwnSession[]> => sql<OwnSession[]>`
  select created_at, last_seen_at, user_agent, csrf_token = ${csrfToken} as current from console_sessions
  where person_id = ${accountId} and ${isLiving(sql, clock.now())}
  order by current desc, last_seen_at desc, created_at desc`;

/** Ends every other session of the user. */
export async function endOtherSessions(
  { sql, clock }: Pick<Services, 'sql' | 'clock'>,
  { accountId, csrfToken, from }: Session,
): Promise<void> {
  const entry = { operation: 'account.sign-out-others', now: clock.now().toISOString(), from } as const;
  await inTransaction(sql, async (tx) => {
    await endSessionsOf(tx, { accountId, keptSession: csrfToken });
    await addOwnAuditEntry(tx, entry, await membershipsOf(tx, [accountId]));
  });
}

/**
 * Goes on in another organization of the user, under a new token, which it answers, and with a new CSRF token: a
 * form that another tab still shows of the first organization is not carried out in the second. Raises NOT_FOUND
 * where the user is not active.
 */
export async function switchOrganization(
  { sql, clock }: Pick<Services, 'sql' | 'clock'>,
  { accountId, csrfToken, from }: Session,
  { id: organization }: { id: string },
): Promise<string> {
  const token = randomToken('dk_ses_');
  const now = clock.now().toISOString();
  const entry = { operation: 'account.switch-organization', now, from } as const;
  await inTransaction(sql, async (tx) => {
    const switched = await tx<OwnMembership[]>`
    with membership as (
      update memberships set last_signed_in_at = ${now}
      where person_id = ${accountId} and organization_id = ${organization} and active
      returning organization_id, id, name)
    update console_sessions s
    set organization_id = m.organization_id, user_id = m.id, csrf_token = ${randomToken('')},
        token_hash = ${tokenHash(token)}, previous_token_hash = null, rotated_at = ${now}
    from membership m
    where s.person_id = ${accountId} and s.csrf_token = ${csrfToken}
    returning m.organization_id, m.id, m.name`;
    if (switched.length === 0) throw notFound();
    await addOwnAuditEntry(tx, entry, switched);
  });
  return token;
}
