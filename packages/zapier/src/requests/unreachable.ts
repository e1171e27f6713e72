import type { ZObject } from 'zapier-platform-core';
import { isStale, type Outcome } from './attempt.ts';
import { cleanError } from './clean-error.ts';

/** Why nothing came back, as far as it matters to the person who mends it. */
type Trouble = 'redirected' | 'unknown host' | 'certificate' | 'no answer';

/** What Node reports of a certificate: `CERT_HAS_EXPIRED`, `DEPTH_ZERO_SELF_SIGNED_CERT`, `ERR_TLS_CERT_ALTNAME_INVALID`. */
const certificateCode = /CERT|SELF_SIGNED|UNABLE_TO_(GET|VERIFY)/;

function troubleOf(error: Error): Trouble {
  const { type, code } = error as { type?: unknown; code?: unknown };
  if (type === 'no-redirect') return 'redirected';
  if (code === 'ENOTFOUND') return 'unknown host';
  return certificateCode.test(String(code)) ? 'certificate' : 'no answer';
}

/** True for a connection that failed and may succeed when it is tried again. */
export const isPassing = (outcome: Outcome): boolean =>
  outcome instanceof Error && !isStale(outcome) && troubleOf(outcome) === 'no answer';

/** The platform's error for an address that gives no answer. */
export function unreachable(z: ZObject, address: string, advice: string, cause: Error): Error {
  const url = new URL(address);
  z.console.error(`No answer from ${url.host}: ${cause.message}`);
  return cleanError(new z.errors.Error(describeTrouble(url, advice, cause), 'UNREACHABLE'));
}

/** Why there is no answer, in words that lead to the mend. */
export function describeTrouble({ host, hostname }: URL, advice: string, cause: Error): string {
  switch (troubleOf(cause)) {
    case 'redirected':
      return `${host} sends requests on to another address. ${advice}`;
    case 'unknown host':
      return `There is no server named ${hostname}. ${advice}`;
    case 'certificate':
      return `The certificate of ${host} cannot be trusted: it is self-signed, expired or made for another name. Give the service one that browsers accept.`;
    case 'no answer':
      return `${host} did not answer. Check that the service runs and can be reached from the internet. ${advice}`;
  }
}
