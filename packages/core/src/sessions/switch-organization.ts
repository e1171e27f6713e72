import type { Core } from '../core.ts';
import { randomToken, tokenHash } from '../credentials/token.ts';
import { notFound } from '../problem.ts';
import type { Session } from './sessions.ts';

/**
 * Goes on in another organization of the person, under a new token, which it answers, and with a new CSRF token: a form
 * that another tab still shows of the first organization is not carried out in the second. Raises NOT_FOUND where the
 * person is not active.
 */
export async function switchOrganization(
  { sql, clock }: Pick<Core, 'sql' | 'clock'>,
  { personId, csrfToken }: Session,
  { id: organization }: { id: string },
): Promise<string> {
  const token = randomToken('dk_ses_');
  const now = clock.now().toISOString();
  const [switched] = await sql`
    with membership as (
      update memberships set last_signed_in_at = ${now}
      where person_id = ${personId} and organization_id = ${organization} and active
      returning organization_id, id)
    update console_sessions s
    set organization_id = m.organization_id, user_id = m.id, csrf_token = ${randomToken('')},
        token_hash = ${tokenHash(token)}, previous_token_hash = null, rotated_at = ${now}
    from membership m
    where s.person_id = ${personId} and s.csrf_token = ${csrfToken} returning 1`;
  if (!switched) throw notFound();
  return token;
}
