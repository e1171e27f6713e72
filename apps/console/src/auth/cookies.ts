import { knownBrowserSeconds } from '@dealkeep/core/foundations';
import { deleteCookie, getCookie, setCookie } from 'hono/cookie';
import type { ConsoleContext } from '../context.ts';

const isSecure = (c: ConsoleContext): boolean => c.get('core').origin.startsWith('https:');

/** `__Host-` binds a cookie to this very host; browsers take that prefix by https alone (RFC 6265bis, 4.1.3.2). */
const boundToHost = (c: ConsoleContext, name: string): string => (isSecure(c) ? `__Host-${name}` : name);

const sessionCookie = (c: ConsoleContext): string => boundToHost(c, 'dealkeep_session');

export const readSessionCookie = (c: ConsoleContext): string | undefined => getCookie(c, sessionCookie(c));

/** The cookie ends with the browser; the server ends the session after twelve idle hours. */
export function writeSessionCookie(c: ConsoleContext, token: string): void {
  setCookie(c, sessionCookie(c), token, { path: '/', httpOnly: true, sameSite: 'Lax', secure: isSecure(c) });
}

export function clearSessionCookie(c: ConsoleContext): void {
  deleteCookie(c, sessionCookie(c), { path: '/', secure: isSecure(c) });
}

const knownBrowserCookie = (c: ConsoleContext): string => boundToHost(c, 'dealkeep_known_browser');

export const readKnownBrowser = (c: ConsoleContext): string | undefined =>
  getCookie(c, knownBrowserCookie(c));

/** The cookie stays when somebody signs out: it says only that somebody has signed in on this browser before. */
export function writeKnownBrowser(c: ConsoleContext, token: string): void {
  setCookie(c, knownBrowserCookie(c), token, {
    path: '/',
    httpOnly: true,
    sameSite: 'Lax',
    secure: isSecure(c),
    maxAge: knownBrowserSeconds,
  });
}
