/** Why nothing came back, as far as it matters to the person who mends it. */
export type Trouble = 'redirected' | 'unknown host' | 'certificate' | 'no answer';

/**
 * What Node reports of a certificate: `CERT_HAS_EXPIRED`, `DEPTH_ZERO_SELF_SIGNED_CERT`,
 * `ERR_TLS_CERT_ALTNAME_INVALID`.
 */
const certificateCode = /CERT|SELF_SIGNED|UNABLE_TO_(GET|VERIFY)/;

/** What a code of Node's network says. */
export function troubleOf(code: unknown): Trouble {
  if (code === 'ENOTFOUND') return 'unknown host';
  return certificateCode.test(String(code)) ? 'certificate' : 'no answer';
}

/** What answers is no Dealkeep, or the API is not below that address. */
export const describeElsewhere = ({ host }: URL, advice: string): string =>
  `${host} answers, but not as the API of Dealkeep does. ${advice}`;

/** Why there is no answer, in words that lead to the mend. */
export function describeTrouble({ host, hostname }: URL, advice: string, trouble: Trouble): string {
  switch (trouble) {
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
