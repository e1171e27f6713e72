import { hash } from 'node:crypto';
import { comparisonForm } from '@dealkeep/contract';
import type { Services } from '../../change/services.ts';
import type { Statements, Transaction } from '../../foundations/database/connect.ts';
import { inTransaction } from '../../foundations/database/in-transaction.ts';
import { withoutNul } from '../../foundations/database/values.ts';
import {
  accountFailures,
  connectionFailures,
  networkFailures,
  type Retention,
} from '../../foundations/operating-limits.ts';
import { Problem } from '../../foundations/problem.ts';

/** Whose failures are counted together, and how patiently. */
export interface Bucket {
  readonly name: string;
  /** So many failures come without a wait: people mistype. */
  readonly free: number;
  readonly longestWaitMs: number;
  /** Each failure is forgotten after so long; all of them after a time without one (`signInAttemptHours`). */
  readonly forgottenEveryMs?: number;
}

/** Attempts from anywhere on an address, whether anybody has it or not, so that the wait does not tell. */
export const addressBucket = (email: string): Bucket => ({
  name: `address ${comparisonForm(withoutNul(email))}`,
  ...accountFailures,
});

/**
 * Attempts from a known browser on other users of the same address. All such browsers share one count; otherwise
 * each further browser that one signs in with would bring new guesses at the others.
 */
export const namesakeBucket = (email: string): Bucket => ({
  name: `namesake ${comparisonForm(withoutNul(email))}`,
  ...accountFailures,
});

/** Attempts of a browser on the account that it has signed in to before. */
export const browserBucket = (browser: string): Bucket => ({
  name: `browser ${browser}`,
  ...accountFailures,
});
/** Attempts of somebody who is signed in to say their own password. */
export const ownBucket = (user: string): Bucket => ({ name: `own ${user}`, ...accountFailures });
/** Attempts from one network on whatever account; a whole office may stand behind it. */
export const clientBucket = (network: string, { trusted }: { readonly trusted: boolean }): Bucket => ({
  name: `client ${network}`,
  ...(trusted ? networkFailures : connectionFailures),
});

/** Before any attempt. */
const always = new Date(0).toISOString();

/** Milliseconds until the next attempt after so many failures: 1 s, 2 s, 4 s, … */
const waitAfter = ({ free, longestWaitMs }: Bucket, failures: number): number =>
  failures < free ? 0 : Math.min(longestWaitMs, 1000 * 2 ** Math.min(failures - free, 20));

const keyOf = ({ name }: Bucket): Buffer => hash('sha256', name, 'buffer');

/** An attempt that is being judged. It counts as a failure until it is known to be none. */
export interface Attempt {
  /** Takes it back, because it was no failure or could not be judged. */
  takeBack(): Promise<void>;
}

interface Counted {
  readonly key: Buffer;
  readonly allowedAt: string;
  readonly formerlyAllowedAt: string;
}

/**
 * Counts an attempt before its password is looked at, so that attempts at once count as well. Raises RATE_LIMITED,
 * having counted nothing, when one of the buckets asks to wait.
 */
export async function beginAttempt(
  { sql, clock, retention }: Pick<Services, 'sql' | 'clock' | 'retention'>,
  buckets: readonly Bucket[],
): Promise<Attempt> {
  const now = clock.now();
  // Most of a thousand tries are refused here: they hold no lock, and no connection for longer than a read.
  for (const bucket of buckets) {
    const [known] = await sql<{ allowed_at: string }[]>`
      select allowed_at from sign_in_attempts where bucket_hash = ${keyOf(bucket)} and allowed_at > ${now.toISOString()}`;
    if (known) requireAllowed(bucket, known.allowed_at, now);
  }
  const counted = await inTransaction(sql, async (tx) => {
    const all: Counted[] = [];
    // Always the account before the client, so that two attempts never wait for each other.
    for (const bucket of buckets) all.push(await count(tx, bucket, { now, retention }));
    return all;
  });
  return {
    takeBack: async () => {
      for (const { key, allowedAt, formerlyAllowedAt } of counted) {
        await sql`
          update sign_in_attempts set failures = greatest(failures - 1, 0),
            allowed_at = case when allowed_at = ${allowedAt} then ${formerlyAllowedAt} else allowed_at end
          where bucket_hash = ${key}`;
      }
    },
  };
}

async function count(
  tx: Transaction,
  bucket: Bucket,
  { now, retention }: { now: Date; retention: Retention },
): Promise<Counted> {
  const key = keyOf(bucket);
  const moment = now.toISOString();
  const [row] = await tx<Kept[]>`
    insert into sign_in_attempts (bucket_hash, failures, allowed_at, last_at)
    values (${key}, 0, ${always}, ${moment})
    on conflict (bucket_hash) do update set bucket_hash = excluded.bucket_hash
    returning failures, allowed_at, last_at`;
  if (!row) throw new Error('Unreachable: the row was made or locked');
  requireAllowed(bucket, row.allowed_at, now);
  const kept = remembered(bucket, row, { now, forgottenMs: retention.signInAttemptHours * 3_600_000 });
  const failures = kept.failures + 1;
  const wait = waitAfter(bucket, failures);
  // Attempts at once are counted in any order: one that causes no wait must not shorten the wait that another
  // caused.
  const allowedAt = wait === 0 ? row.allowed_at : new Date(now.getTime() + wait).toISOString();
  await tx`
    update sign_in_attempts set failures = ${failures}, allowed_at = ${allowedAt}, last_at = ${kept.last_at}
    where bucket_hash = ${key}`;
  return { key, allowedAt, formerlyAllowedAt: row.allowed_at };
}

interface Kept {
  failures: number;
  allowed_at: string;
  /**
   * When the last attempt was made; where failures are forgotten one by one, the moment since when the next is to be
   * forgotten.
   */
  last_at: string;
}

function remembered(
  { forgottenEveryMs }: Bucket,
  { failures, last_at }: Kept,
  { now, forgottenMs }: { now: Date; forgottenMs: number },
): Pick<Kept, 'failures' | 'last_at'> {
  const since = Math.max(0, now.getTime() - Date.parse(last_at));
  const forgotten = forgottenEveryMs === undefined ? 0 : Math.floor(since / forgottenEveryMs);
  if (since > forgottenMs || forgotten >= failures) return { failures: 0, last_at: now.toISOString() };
  if (forgottenEveryMs === undefined) return { failures, last_at: now.toISOString() };
  const counted = new Date(Date.parse(last_at) + forgotten * forgottenEveryMs);
  return { failures: failures - forgotten, last_at: counted.toISOString() };
}

/**
 * Raises RATE_LIMITED before the moment; not for one that a clock has said that was ahead: nobody waits for longer
 * than the longest.
 */
function requireAllowed({ longestWaitMs }: Bucket, allowedAt: string, now: Date): void {
  const waitMs = Date.parse(allowedAt) - now.getTime();
  if (waitMs <= 0 || waitMs > longestWaitMs) return;
  throw new Problem('sign_in.slow', { seconds: Math.ceil(waitMs / 1000) });
}

/** Forgets all failures of a bucket. */
export async function forgetAttempts({ sql }: { readonly sql: Statements }, bucket: Bucket): Promise<void> {
  await sql`delete from sign_in_attempts where bucket_hash = ${keyOf(bucket)}`;
}
