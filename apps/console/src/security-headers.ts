import type { MiddlewareHandler } from 'hono';
import type { ConsoleEnvironment } from './context.ts';

/** Addresses that a form of this page may lead to besides our own, such as an application's redirect address. */
const formTargets = new WeakMap<Request, string>();

/**
 * Lets the form of this response be answered by a redirect to an address; browsers check that as well. A policy cannot
 * name an IPv6 address (CSP, host-source), so the scheme has to do for one.
 */
export function allowFormTarget(request: Request, address: string): void {
  const { origin, protocol, hostname } = new URL(address);
  formTargets.set(request, hostname.startsWith('[') ? protocol : origin);
}

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
  c.header('Referrer-Policy', 'same-origin');
  c.header('Cross-Origin-Opener-Policy', 'same-origin');
  c.header('Permissions-Policy', 'camera=(), microphone=(), geolocation=(), payment=()');
  if (!c.res.headers.has('Cache-Control')) c.header('Cache-Control', 'no-store');
};
