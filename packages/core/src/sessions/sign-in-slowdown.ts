import { hash } from 'node:crypto';
import type { Core } from '../core.ts';
import type { Statements } from '../database/connect.ts';
import { inTransaction } from '../database/in-transaction.ts';
import { Problem } from '../problem.ts';

/** So many attempts come without a wait: people mistype. */
const freeAttempts = 5;
const longestWaitMs = 15 * 60_000;
/** After so long without an attempt, all is forgotten. */
const forgottenAfterMs = 24 * 3_600_000;

/** Milliseconds until the next attempt after so many failures: 1 s, 2 s, 4 s, … 15 min. */
export const waitAfter = (failures: number): number =>
  failures < freeAttempts ? 0 : Math.min(longestWaitMs, 1000 * 2 ** Math.min(failures - freeAttempts, 20));

const hashOf = (email: string): Buffer => hash('sha256', email.trim().toLowerCase(), 'buffer');

/**
 * Counts an attempt to sign in before its password is looked at, so that attempts at once count as well. By account,
 * never by address. Raises RATE_LIMITED.
 */
export async function countAttempt({ sql, clock }: Core, email: string): Promise<void> {
  const now = clock.now();
  const key = hashOf(email);
  // Most of a thousand tries are refused here: they hold no lock, and no connection for longer than a read.
  const [known] = await sql<{ allowed_at: string }[]>`
    select allowed_at from sign_in_attempts where email_hash = ${key} and allowed_at > ${now.toISOString()}`;
  if (known) throw tooSoon(Date.parse(known.allowed_at) - now.getTime());
  const wait = await inTransaction(sql, async (tx) => {
    await tx`
      insert into sign_in_attempts (email_hash, failures, allowed_at, last_at)
      values (${key}, 0, ${now.toISOString()}, ${now.toISOString()}) on conflict do nothing`;
    const [row] = await tx<{ failures: number; allowed_at: string; last_at: string }[]>`
      select failures, allowed_at, last_at from sign_in_attempts where email_hash = ${key} for update`;
    if (!row) throw new Error('Unreachable: the row was made before');
    const left = Date.parse(row.allowed_at) - now.getTime();
    if (left > 0) return left;
    const old = now.getTime() - Date.parse(row.last_at) > forgottenAfterMs;
    const failures = (old ? 0 : row.failures) + 1;
    const allowedAt = new Date(now.getTime() + waitAfter(failures)).toISOString();
    await tx`
      update sign_in_attempts set failures = ${failures}, allowed_at = ${allowedAt}, last_at = ${now.toISOString()}
      where email_hash = ${key}`;
    return 0;
  });
  if (wait > 0) throw tooSoon(wait);
}

const tooSoon = (waitMs: number): Problem =>
  new Problem('sign_in.slow', { seconds: Math.ceil(waitMs / 1000) });

export async function forgetAttempts({ sql }: { readonly sql: Statements }, email: string): Promise<void> {
  await sql`delete from sign_in_attempts where email_hash = ${hashOf(email)}`;
}
