import { isIP } from 'node:net';

/** Where a request comes from, as the audit log tells it. */
export interface RequestOrigin {
  /** IPv4 or IPv6; null where it is not known. */
  readonly address: string | null;
  /** The program that sent it, as it introduced itself. */
  readonly program: string | null;
  readonly requestId: string | null;
  /** It was an AI assistant that asked. */
  readonly assistant?: true;
}

/** The end of a connection that a request came by, and what a proxy in front wrote down. */
interface Arrival {
  readonly remoteAddress: string | undefined;
  /** `X-Forwarded-For` */
  readonly forwarded: string | undefined;
  readonly userAgent: string | undefined;
  readonly requestId: string | undefined;
}

export const requestOrigin = (
  { remoteAddress, forwarded, userAgent, requestId }: Arrival,
  trustProxy: boolean,
): RequestOrigin => ({
  address: plainAddress((trustProxy ? lastForwarded(forwarded) : undefined) ?? remoteAddress),
  program: programOf(userAgent, longestBrowser),
  requestId: requestId ?? null,
});

/** What the proxy in front wrote down: the last entry, because a client can send entries of its own before it. */
export const lastForwarded = (forwarded: string | undefined): string | undefined =>
  forwarded?.slice(forwarded.lastIndexOf(',') + 1).trim();

/** An address as people know it: IPv4 not as a part of IPv6. Null for what is none. */
function plainAddress(address: string | undefined): string | null {
  const plain = address?.replace(/^::ffff:(?=\d+\.)/i, '') ?? '';
  return isIP(plain) === 0 ? null : plain;
}

/** Characters that are kept of a `User-Agent`, enough for people to recognise the program. */
const longestProgram = 120;
/** Browsers say which one they are at the end of a long one. */
const longestBrowser = 200;

/**
 * A `User-Agent` as it is stored: printable ASCII alone and shortened, since strangers can send anything; null when
 * nothing is left.
 */
export function programOf(userAgent = '', longest = longestProgram): string | null {
  const program = userAgent
    .slice(0, longest)
    .replaceAll(/[^\x20-\x7e]+/g, '?')
    .trim();
  return program === '' ? null : program;
}
