import { describeTrouble } from '@dealkeep/connectors';
import type { ZObject } from 'zapier-platform-core';
import { troubleIn } from './attempt.ts';
import { cleanError } from './clean-error.ts';

/** The platform's error for an address that gives no answer. */
export function unreachable(z: ZObject, address: URL, advice: string, cause: Error): Error {
  z.console.error(`No answer from ${address.host}: ${cause.message}`);
  return cleanError(new z.errors.Error(describeTrouble(address, advice, troubleIn(cause)), 'UNREACHABLE'));
}
