import { knownBrowserSeconds } from '@dealkeep/core';
import { getCookie, setCookie } from 'hono/cookie';
import type { ConsoleContext } from '../context.ts';
import { boundToHost, isSecure } from './session-cookie.ts';

const nameOf = (c: ConsoleContext): string => boundToHost(c, 'dealkeep_known_browser');

export const readKnownBrowser = (c: ConsoleContext): string | undefined => getCookie(c, nameOf(c));

/** Stays when somebody signs out: it says only that this browser has been signed in before. */
export function writeKnownBrowser(c: ConsoleContext, token: string): void {
  setCookie(c, nameOf(c), token, {
    path: '/',
    httpOnly: true,
    sameSite: 'Lax',
    secure: isSecure(c),
    maxAge: knownBrowserSeconds,
  });
}
