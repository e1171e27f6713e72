import { ChangePassword, checkValue, type FieldProblem, UpdateAccount } from '@dealkeep/contract';
import type * as z from 'zod';
import { changedValues } from '../../change/audit/changed-values.ts';
import { addOwnAuditEntry, membershipsOf, type OwnMembership } from '../../change/audit/own-account.ts';
import type { Services } from '../../change/services.ts';
import { checkInput, checkInputThroughout } from '../../change/verb/check-input.ts';
import { inTransaction } from '../../foundations/database/in-transaction.ts';
import { invalidFields, Problem } from '../../foundations/problem.ts';
import { randomToken, tokenHash } from '../../identity/credentials/credential.ts';
import { hashPassword, noPassword, verifyPassword } from '../../identity/passwords/password.ts';
import type { Session } from '../sessions/sessions.ts';
import { type Attempt, beginAttempt, forgetAttempts, ownBucket } from '../sessions/sign-in-slowdown.ts';
import { changeMembership, getMember } from './members.ts';
import { changeUserRow } from './users.ts';

/**
 * Changes what users may change of their own account in the organization that they are in; an absent field stays.
 * Raises VALIDATION_ERROR.
 */
export async function editAccount(
  { sql, clock }: Pick<Services, 'sql' | 'clock'>,
  { user, organization, from }: Session,
  input: z.input<typeof UpdateAccount>,
): Promise<void> {
  const changes = checkInput(UpdateAccount, input);
  const member = { organization: organization.id, id: user.id };
  const now = clock.now().toISOString();
  await inTransaction(sql, async (tx) => {
    const before = await getMember(tx, member);
    const changed = changedValues(before, changes);
    if (Object.keys(changed).length > 0) {
      const entry = { operation: 'account.edit', now, from, detail: { changes: changed } } as const;
      const self = await tx<OwnMembership[]>`
        select organization_id, id, name from memberships
        where organization_id = ${organization.id} and id = ${user.id}`;
      await addOwnAuditEntry(tx, entry, self);
    }
    await changeMembership(tx, member, changes, now, { kind: 'user', user, via: 'console', from });
  });
}

/**
 * Puts the guide of the first page away, or shows it again, for one person in one organization. It changes nothing
 * for anybody else, so no log tells of it.
 */
export async function showGuide(
  { sql, clock }: Pick<Services, 'sql' | 'clock'>,
  { user, organization }: Session,
  shown: boolean,
): Promise<void> {
  await sql`
    update memberships set guide_dismissed_at = ${shown ? null : clock.now().toISOString()}
    where organization_id = ${organization.id} and id = ${user.id}`;
}

/**
 * Changes one's own password, after the current one, wherever one belongs. Every other session of the user ends, and
 * this one goes on under a new token, which it answers (OWASP, Session Management). Wrong guesses are slowed down as
 * those of signing in are, but by themselves: strangers who guess are not in the way. Raises VALIDATION_ERROR and
 * RATE_LIMITED.
 */
export async function changeOwnPassword(
  core: Services,
  { accountId, csrfToken, from }: Session,
  input: z.input<typeof ChangePassword>,
): Promise<string> {
  const checked = await checkInputThroughout(ChangePassword, input, async ({ body }) => {
    if (body.current_password === undefined) return [];
    const { right, attempt } = await tryOwn(core, accountId, body.current_password).catch((error) => {
      if (!(error instanceof Problem) || error.code !== 'RATE_LIMITED') throw error;
      // Tells what else is wrong, so that it can be corrected during the wait.
      throw new Problem(error.key, error.values, {
        fields: checkValue(ChangePassword, input).problems ?? [],
      });
    });
    // The password was right but nothing changed: this attempt does not count, and those before are not forgotten.
    if (right) await attempt.takeBack();
    return right ? [] : [wrongPassword];
  });
  const { current_password: current, password } = checked;
  const { right, stored } = await tryOwn(core, accountId, current);
  if (!right) throw invalidFields([wrongPassword]);
  await forgetAttempts(core, ownBucket(accountId));
  const passwordHash = await hashPassword(password, stored);
  const token = randomToken('dk_ses_');
  const now = core.clock.now().toISOString();
  const user = { id: accountId, keptSession: csrfToken };
  await inTransaction(core.sql, async (tx) => {
    await changeUserRow(tx, user, { password_hash: passwordHash }, now);
    const entry = { operation: 'account.change-password', now, from } as const;
    await addOwnAuditEntry(tx, entry, await membershipsOf(tx, [accountId]));
    await tx`
      update console_sessions set token_hash = ${tokenHash(token)}, previous_token_hash = null, rotated_at = ${now}
      where person_id = ${accountId} and csrf_token = ${csrfToken}`;
  });
  return token;
}

const wrongPassword: FieldProblem = { path: 'current_password', key: 'field.wrong_password' };

/**
 * Looks whether a password is the user's own. It counts as a failure until the attempt is taken back or forgotten.
 */
async function tryOwn(
  core: Services,
  accountId: string,
  password: string,
): Promise<{ right: boolean; stored: string; attempt: Attempt }> {
  const bucket = ownBucket(accountId);
  const attempt = await beginAttempt(core, [bucket]);
  const [row] = await core.sql<{ password_hash: string }[]>`
    select password_hash from users where id = ${accountId}`;
  const asker = { known: true, lane: bucket.name };
  const stored = row?.password_hash ?? noPassword;
  const right = await verifyPassword(asker, password, stored).catch(async (error) => {
    await attempt.takeBack();
    throw error;
  });
  return { right, stored, attempt };
}
