import type { Core } from '@dealkeep/core';
import type { Hono } from 'hono';
import type { ApiEnvironment } from './api-environment.ts';

const path = '/.well-known/security.txt';

/** RFC 9116 asks for less than a year. Each answer counts anew, so no answer has expired. */
const validDays = 180;
const dayMs = 86_400_000;

/**
 * Whom to tell of a security hole of this installation (RFC 9116): the operator's contacts. Without any there is no
 * such page, because nobody else can answer for an installation.
 */
export function securityTextRoutes(
  app: Hono<ApiEnvironment>,
  { origin, clock }: Pick<Core, 'origin' | 'clock'>,
  contacts: readonly string[] | undefined,
): void {
  if (contacts === undefined) return;
  app.get(path, (c) => {
    // The day's beginning, so that an answer is the same all day.
    const today = Math.floor(clock.now().getTime() / dayMs) * dayMs;
    const lines = [
      ...contacts.map((contact) => `Contact: ${contact}`),
      `Expires: ${new Date(today + validDays * dayMs).toISOString()}`,
      'Preferred-Languages: en, sk',
      // RFC 9116, 2.5.2: an address of the web begins with https.
      ...(origin.startsWith('https:') ? [`Canonical: ${origin}${path}`] : []),
    ];
    return c.body(`${lines.join('\n')}\n`, 200, {
      'Content-Type': 'text/plain; charset=utf-8',
      'Cache-Control': 'public, max-age=86400',
      'X-Content-Type-Options': 'nosniff',
    });
  });
}
