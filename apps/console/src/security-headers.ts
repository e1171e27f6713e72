import { oauthPaths } from '@dealkeep/contract';
import type { MiddlewareHandler } from 'hono';
import type { ConsoleEnvironment } from './context.ts';

/** Addresses that a form of this page may lead to besides our own, such as an application's redirect address. */
const formTargets = new WeakMap<Request, string>();

/**
 * Lets the form of this response be answered by a redirect to an address; browsers check that as well. A policy
 * cannot name an IPv6 address (CSP, host-source), so the scheme has to do for one.
 */
export function allowFormTarget(request: Request, address: string): void {
  const { origin, protocol, hostname } = new URL(address);
  formTargets.set(request, hostname.startsWith('[') ? protocol : origin);
}

/**
 * The pages that people pass when they connect an application. Zapier and n8n open them in a window of its own,
 * whose last page tells the window that opened it that it is done. `Cross-Origin-Opener-Policy` would cut these
 * windows off from each other, so these pages do not send it.
 */
const connecting: readonly string[] = [oauthPaths.authorize, '/sign-in', '/sign-out', '/organization'];

/**
 * Own style, own script, nothing from anybody else, no frame around it (OWASP, Content Security Policy). Pages hold
 * business data, so nothing keeps them.
 */
export const securityHeaders: MiddlewareHandler<ConsoleEnvironment> = async (c, next) => {
  await next();
  const target = formTargets.get(c.req.raw);
  const policy = [
    "default-src 'none'",
    "style-src 'self'",
    "script-src 'self'",
    "img-src 'self' data:",
    "connect-src 'self'",
    "base-uri 'none'",
    `form-action 'self'${target === undefined ? '' : ` ${target}`}`,
    "frame-ancestors 'none'",
  ];
  c.header('Content-Security-Policy', policy.join('; '));
  c.header('X-Content-Type-Options', 'nosniff');
  // For browsers that do not know frame-ancestors (RFC 9700, 4.16).
  c.header('X-Frame-Options', 'DENY');
  // Other sites learn no address of ours. `no-referrer` would make browsers send forms with `Origin: null`.
  c.header('Referrer-Policy', 'same-origin');
  if (!connecting.includes(c.req.path)) c.header('Cross-Origin-Opener-Policy', 'same-origin');
  c.header('Permissions-Policy', 'camera=(), microphone=(), geolocation=(), payment=()');
  if (!c.res.headers.has('Cache-Control')) c.header('Cache-Control', 'no-store');
};
