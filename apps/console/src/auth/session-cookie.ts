import { deleteCookie, getCookie, setCookie } from 'hono/cookie';
import type { ConsoleContext } from '../context.ts';

export const isSecure = (c: ConsoleContext): boolean => c.get('core').origin.startsWith('https:');

/** `__Host-` binds a cookie to this very host; browsers take that prefix by https alone (RFC 6265bis, 4.1.3.2). */
export const boundToHost = (c: ConsoleContext, name: string): string =>
  isSecure(c) ? `__Host-${name}` : name;

const nameOf = (c: ConsoleContext): string => boundToHost(c, 'dealkeep_session');

export const readSessionCookie = (c: ConsoleContext): string | undefined => getCookie(c, nameOf(c));

/** Ends with the browser; the server ends it after twelve idle hours. */
export function writeSessionCookie(c: ConsoleContext, token: string): void {
  setCookie(c, nameOf(c), token, { path: '/', httpOnly: true, sameSite: 'Lax', secure: isSecure(c) });
}

export function clearSessionCookie(c: ConsoleContext): void {
  deleteCookie(c, nameOf(c), { path: '/', secure: isSecure(c) });
}
