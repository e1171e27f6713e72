import { hash, randomBytes } from 'node:crypto';
import type { Environment } from '../core.ts';

const alphabet = '0123456789ABCDEFGHIJKLMNOPQRSTUVWXYZabcdefghijklmnopqrstuvwxyz';
const tokenBytes = 32;
/** Base62 digits that hold 32 bytes. */
const tokenDigits = 43;

export const tokenPrefix = (environment: Environment): string =>
  environment === 'test' ? 'dk_test_' : 'dk_live_';

/** A new token: a prefix that says what it is, and 32 random bytes in base62. Only its hash is kept. */
export function randomToken(prefix: string): string {
  let number = BigInt(`0x${randomBytes(tokenBytes).toString('hex')}`);
  let text = '';
  while (text.length < tokenDigits) {
    text = alphabet.charAt(Number(number % 62n)) + text;
    number /= 62n;
  }
  return prefix + text;
}

/** A new API key. Shown once. */
export const newToken = (environment: Environment): string => randomToken(tokenPrefix(environment));

/** SHA-256. A random token of 256 bits needs no slow hash, and looking it up by its hash leaks no timing. */
export const tokenHash = (token: string): Buffer => hash('sha256', token, 'buffer');
