import type { Core } from '../core.ts';
import { withoutNul } from '../database/without-nul.ts';
import { Problem } from '../problem.ts';
import { fittingHash } from '../users/password.ts';
import { countAttempt, forgetAttempts } from './sign-in-slowdown.ts';

/** A person whose password was right just now. */
export interface ProvedPerson {
  readonly id: string;
  /** What was compared: a session is made only while it still stands. */
  readonly passwordHash: string;
}

/**
 * The person whom an address and a password name together. An address that nobody has verified may be used by several,
 * each with a password of their own. Raises RATE_LIMITED after too many attempts, UNAUTHORIZED, and SERVICE_UNAVAILABLE
 * when too many sign in at once.
 */
export async function provePassword(
  core: Core,
  { email, password }: { email: string; password: string },
): Promise<ProvedPerson> {
  await countAttempt(core, email);
  const people = await peopleOf(core, email);
  // Where there is nobody, too, so that an unknown address takes as long as a known one.
  const fitting = await fittingHash(
    password,
    people.map(({ passwordHash }) => passwordHash),
  );
  const person = people.find(({ passwordHash }) => passwordHash === fitting);
  if (!person) throw new Problem('sign_in.wrong');
  await forgetAttempts(core, email);
  return person;
}

/** Everybody who signs in with an address: who is active somewhere first, then whose address is verified. */
export const peopleOf = ({ sql }: Pick<Core, 'sql'>, email: string): Promise<ProvedPerson[]> =>
  sql<ProvedPerson[]>`
    select u.id, u.password_hash as "passwordHash" from users u
    where lower(u.email) = lower(${withoutNul(email.trim())})
    order by exists (select from memberships m where m.person_id = u.id and m.active) desc, u.email_verified desc,
             u.created_at, u.id`;
