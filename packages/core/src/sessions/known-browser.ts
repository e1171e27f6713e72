import { randomBytes, timingSafeEqual } from 'node:crypto';
import type { Core } from '../core.ts';

/** For so long a browser is known by a sign-in. */
export const knownBrowserSeconds = 90 * 24 * 3600;

/** A browser in which somebody has signed in before. */
export interface KnownBrowser {
  readonly id: string;
  /** Of the one account. */
  readonly user: string;
}

type Signing = Pick<Core, 'secrets' | 'clock'>;

/**
 * What a browser carries after a sign-in: that it is known, and for which account (OWASP, Slow Down Online Guessing
 * Attacks with Device Cookies). It signs nobody in; strangers who guess at the account do not slow down its person.
 */
export function knownBrowserToken({ secrets, clock }: Signing, user: string): string {
  const until = Math.floor(clock.now().getTime() / 1000) + knownBrowserSeconds;
  const text = `${randomBytes(16).toString('base64url')}.${user}.${until}`;
  const [signature] = signaturesOf(secrets, text);
  return `${text}.${(signature ?? Buffer.alloc(0)).toString('base64url')}`;
}

/** Undefined for anything that `knownBrowserToken` did not make, or that is too old. */
export function knownBrowserOf({ secrets, clock }: Signing, token: string): KnownBrowser | undefined {
  const [, text = '', id = '', user = '', until = '', signed = ''] =
    /^(([\w-]{22})\.([\da-f-]{36})\.(\d{1,12}))\.([\w-]+)$/.exec(token) ?? [];
  const signature = Buffer.from(signed, 'base64url');
  const genuine = signaturesOf(secrets, text).some(
    (each) => each.length === signature.length && timingSafeEqual(each, signature),
  );
  return genuine && Number(until) * 1000 > clock.now().getTime() ? { id, user } : undefined;
}

const signaturesOf = (secrets: Core['secrets'], text: string): Buffer[] =>
  secrets.signatures(`known browser\n${text}`);
