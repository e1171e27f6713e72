import type { ClaimingClient } from '@dealkeep/core';
import type { ConsoleContext } from '../context.ts';

/**
 * Where a request comes from: with `TRUST_PROXY` what the proxy in front wrote down, which is the last entry, because a
 * client can send entries of its own before it; else the other end of the connection. Undefined where neither is known.
 */
export function clientOf(c: ConsoleContext): ClaimingClient | undefined {
  const forwarded = c.get('trustProxy') ? c.req.header('x-forwarded-for') : undefined;
  if (forwarded !== undefined) {
    return { address: forwarded.slice(forwarded.lastIndexOf(',') + 1).trim(), trusted: true };
  }
  const address = c.env?.incoming?.socket.remoteAddress;
  return address === undefined ? undefined : { address, trusted: false };
}
