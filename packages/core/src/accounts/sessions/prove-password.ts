import { randomBytes, timingSafeEqual } from 'node:crypto';
import { noteFailedSignIn } from '../../change/audit/own-account.ts';
import type { Services } from '../../change/services.ts';
import { withoutNul } from '../../foundations/database/values.ts';
import { knownBrowserSeconds } from '../../foundations/operating-limits.ts';
import { clientNetwork } from '../../foundations/outgoing/client-network.ts';
import { Problem } from '../../foundations/problem.ts';
import type { RequestOrigin } from '../../identity/credentials/request-origin.ts';
import { type Asker, fittingHash } from '../../identity/passwords/password.ts';
import {
  addressBucket,
  type Bucket,
  beginAttempt,
  browserBucket,
  clientBucket,
  forgetAttempts,
  namesakeBucket,
} from './sign-in-slowdown.ts';

/** What somebody says to be let in, and where from. */
export interface PasswordClaim {
  email: string;
  password: string;
  /** What the browser carries of an earlier sign-in. */
  knownBrowser?: string | undefined;
  client?: ClaimingClient | undefined;
  /** For the audit log. */
  from?: RequestOrigin | undefined;
}

export interface ClaimingClient {
  readonly address: string;
  /** Whether a trusted proxy says so; else the address may be a proxy's, behind which everybody is. */
  readonly trusted: boolean;
}

/** A user whose password was right just now. */
export interface ProvedUser {
  readonly id: string;
  /** What was compared: a session is made only while it still stands. */
  readonly passwordHash: string;
}

/**
 * The user whom an address and a password name together. An address that nobody has verified may be used by several,
 * each with a password of their own. Raises RATE_LIMITED after too many failures, UNAUTHORIZED, and
 * SERVICE_UNAVAILABLE when too many sign in at once.
 */
export async function provePassword(core: Services, claim: PasswordClaim): Promise<ProvedUser> {
  const users = await usersOf(core, claim.email);
  const known = claim.knownBrowser === undefined ? undefined : knownBrowserOf(core, claim.knownBrowser);
  const own = users.find(({ id }) => id === known?.user);
  const proved =
    known && own
      ? await proveInKnownBrowser(core, claim, known, own, users)
      : await prove(core, claim.password, users, placeOfStranger(claim));
  if (!proved) {
    const accounts = users.map(({ id }) => id);
    void noteFailedSignIn(core, accounts, claim.from);
    throw new Problem('sign_in.wrong');
  }
  return proved;
}

/**
 * Tries the user whose browser it is first, then the others who have the address, as for a browser that nobody
 * knows. The others are tried even where there are none, so that neither the answer nor its time nor the counts of
 * failures tell whether there are any.
 */
async function proveInKnownBrowser(
  core: Services,
  { email, password }: PasswordClaim,
  known: KnownBrowser,
  own: ProvedUser,
  users: readonly ProvedUser[],
): Promise<ProvedUser | undefined> {
  const asker: Asker = { known: true, lane: browserBucket(known.id).name };
  const proved = await prove(core, password, [own], { bucket: browserBucket(known.id), also: [], asker });
  if (proved) return proved;
  const others = users.filter((user) => user !== own);
  const place = { bucket: namesakeBucket(email), also: [], asker };
  return prove(core, password, others, place).catch((problem) => {
    // Answered like a wrong password: the user of this browser cannot shorten the wait that others at the address
    // have caused.
    if (problem instanceof Problem && problem.code === 'RATE_LIMITED') return undefined;
    throw problem;
  });
}

/** Everybody who signs in with an address: who is active somewhere first, then whose address is verified. */
export const usersOf = ({ sql }: Pick<Services, 'sql'>, email: string): Promise<ProvedUser[]> =>
  sql<ProvedUser[]>`
    select u.id, u.password_hash as "passwordHash" from users u
    where comparison_form(u.email) = comparison_form(${withoutNul(email)})
    order by exists (select from memberships m where m.person_id = u.id and m.active) desc, u.email_verified desc,
             u.created_at, u.id`;

/** The count of failures that an attempt belongs to, and the lane in which its hash waits. */
interface Place {
  readonly bucket: Bucket;
  /** Counts as well; a success says nothing about the failures there. */
  readonly also: readonly Bucket[];
  readonly asker: Asker;
}

function placeOfStranger({ email, client }: PasswordClaim): Place {
  const network = client && clientNetwork(client.address);
  return {
    bucket: addressBucket(email),
    also: client && network !== undefined ? [clientBucket(network, client)] : [],
    asker: { known: false, lane: `client ${network}` },
  };
}

async function prove(
  core: Services,
  password: string,
  users: readonly ProvedUser[],
  { bucket, also, asker }: Place,
): Promise<ProvedUser | undefined> {
  const hashes = users.map(({ passwordHash }) => passwordHash);
  const attempt = await beginAttempt(core, [bucket, ...also]);
  // Hashed even where the address is unknown, so that this takes as long as for a known one.
  const fitting = await fittingHash(asker, password, hashes).catch(async (error) => {
    await attempt.takeBack();
    throw error;
  });
  if (fitting === undefined) return undefined;
  await attempt.takeBack();
  await forgetAttempts(core, bucket);
  return users.find(({ passwordHash }) => passwordHash === fitting);
}

/** A browser in which somebody has signed in before. */
interface KnownBrowser {
  readonly id: string;
  /** Of the one account. */
  readonly user: string;
}

type Signing = Pick<Services, 'secrets' | 'clock'>;

/**
 * What a browser carries after a sign-in: that it is known, and for which account (OWASP, Slow Down Online Guessing
 * Attacks with Device Cookies). It signs nobody in; strangers who guess at the account do not slow down its user.
 */
export function knownBrowserToken({ secrets, clock }: Signing, user: string): string {
  const until = Math.floor(clock.now().getTime() / 1000) + knownBrowserSeconds;
  const text = `${randomBytes(16).toString('base64url')}.${user}.${until}`;
  const [signature] = signaturesOf(secrets, text);
  return `${text}.${(signature ?? Buffer.alloc(0)).toString('base64url')}`;
}

/** Undefined for anything that `knownBrowserToken` did not make, or that is too old. */
function knownBrowserOf({ secrets, clock }: Signing, token: string): KnownBrowser | undefined {
  const [, text = '', id = '', user = '', until = '', signed = ''] =
    /^(([\w-]{22})\.([\da-f-]{36})\.(\d{1,12}))\.([\w-]+)$/.exec(token) ?? [];
  const signature = Buffer.from(signed, 'base64url');
  const genuine = signaturesOf(secrets, text).some(
    (each) => each.length === signature.length && timingSafeEqual(each, signature),
  );
  return genuine && Number(until) * 1000 > clock.now().getTime() ? { id, user } : undefined;
}

const signaturesOf = (secrets: Services['secrets'], text: string): Buffer[] =>
  secrets.signatures(`known browser\n${text}`);
