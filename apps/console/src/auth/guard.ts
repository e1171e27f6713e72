import { type ClaimingClient, findSession } from '@dealkeep/core/accounts';
import { countSession, lastForwarded, type RequestOrigin, requestOrigin } from '@dealkeep/core/identity';
import type { MiddlewareHandler } from 'hono';
import type { ConsoleContext, ConsoleEnvironment } from '../context.ts';
import { speakLanguageOf } from '../language.ts';
import { readSessionCookie, writeSessionCookie } from './cookies.ts';

/** Finds who is signed in, if anybody, and counts their request. */
export const findWhoIsSignedIn: MiddlewareHandler<ConsoleEnvironment> = async (c, next) => {
  const token = readSessionCookie(c);
  const session = token === undefined ? undefined : await findSession(c.get('core'), token, originOf(c));
  c.set('session', session ?? null);
  const story = c.env?.story;
  if (session && story) {
    story.credential = session.user.id;
    story.organization = session.organization.id;
  }
  speakLanguageOf(c, session?.language ?? null);
  if (session?.newToken !== undefined) writeSessionCookie(c, session.newToken);
  if (session) await countSession(c.get('core'), session);
  await next();
};

/** Sends whoever is not signed in to the sign-in page, and back from there. */
export const requireSession: MiddlewareHandler<ConsoleEnvironment> = async (c, next) => {
  if (c.get('session')) return next();
  return c.redirect(signInAddress(c.req.method === 'GET' ? pathOf(c) : '/'), 303);
};

/** The path of a request with its query. */
export function pathOf(c: ConsoleContext): string {
  const { pathname, search } = new URL(c.req.url);
  return `${pathname}${search}`;
}

/** The sign-in page, which leads back to a path. */
export const signInAddress = (back: string): string =>
  back === '/' ? '/sign-in' : `/sign-in?${new URLSearchParams({ back })}`;

/** Where a request comes from, for the audit log. */
export const originOf = (c: ConsoleContext): RequestOrigin =>
  requestOrigin(
    {
      remoteAddress: c.env?.incoming?.socket.remoteAddress,
      forwarded: c.req.header('x-forwarded-for'),
      userAgent: c.req.header('user-agent'),
      requestId: c.env?.story?.id,
    },
    c.get('core').trustProxy ?? false,
  );

/**
 * Whose attempts to sign in are counted together: with `TRUST_PROXY` those of the client that the proxy names, else
 * those of the other end of the connection. Undefined where neither is known.
 */
export function clientOf(c: ConsoleContext): ClaimingClient | undefined {
  const forwarded = c.get('core').trustProxy ? lastForwarded(c.req.header('x-forwarded-for')) : undefined;
  if (forwarded !== undefined) return { address: forwarded, trusted: true };
  const address = c.env?.incoming?.socket.remoteAddress;
  return address === undefined ? undefined : { address, trusted: false };
}
