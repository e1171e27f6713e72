import { hash, randomBytes } from 'node:crypto';
import type { Environment } from '../core.ts';

const alphabet = '0123456789ABCDEFGHIJKLMNOPQRSTUVWXYZabcdefghijklmnopqrstuvwxyz';
const tokenBytes = 32;

export const tokenPrefix = (environment: Environment): string =>
  environment === 'test' ? 'dk_test_' : 'dk_live_';

/** A new API key: prefix and 32 random bytes in base62. Shown once; only its hash is kept. */
export function newToken(environment: Environment): string {
  let number = BigInt(`0x${randomBytes(tokenBytes).toString('hex')}`);
  let text = '';
  while (text.length < 43) {
    text = alphabet.charAt(Number(number % 62n)) + text;
    number /= 62n;
  }
  return tokenPrefix(environment) + text;
}

/** SHA-256. A random token of 256 bits needs no slow hash, and looking it up by its hash leaks no timing. */
export const tokenHash = (token: string): Buffer => hash('sha256', token, 'buffer');
