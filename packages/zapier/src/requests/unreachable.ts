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

/** The platform's error for an address that gives no answer, in words that lead to the mend. */
export function unreachable(z: ZObject, address: string, advice: string, cause: Error): Error {
  const { host, hostname } = new URL(address);
  z.console.error(`No answer from ${host}: ${cause.message}`);
  const error = (message: string, code: string) => cleanError(new z.errors.Error(message, code));
  switch (troubleOf(cause)) {
    case 'redirected':
      return error(`${host} sends requests on to another address. ${advice}`, 'REDIRECTED');
    case 'unknown host':
      return error(`There is no server named ${hostname}. ${advice}`, 'UNKNOWN_HOST');
    case 'certificate':
      return error(
        `The certificate of ${host} cannot be trusted: it is self-signed, expired or made for another name. Give the service one that browsers accept.`,
        'UNTRUSTED_CERTIFICATE',
      );
    case 'no answer':
      return error(
        `${host} did not answer. Check that the service runs and can be reached from the internet. ${advice}`,
        'UNREACHABLE',
      );
  }
}
