import { createHash } from 'node:crypto';
import { readFileSync } from 'node:fs';
import { type Language, languageOf } from '@dealkeep/contract';
import type { Core } from '@dealkeep/core';
import { defaultLimits, tokenPrefix } from '@dealkeep/core/foundations';
import type { Hono } from 'hono';
import type { ApiEnvironment } from '../api-environment.ts';
import { daily, sendDocument } from '../documents.ts';
import { llmsText } from './llms-text.ts';
import { referencePage } from './page.ts';

const style = readFileSync(new URL('style.css', import.meta.url), 'utf8');

/** Nothing but the page's own style: no script, no image, no frame, no request to anybody. */
const contentSecurityPolicy = [
  "default-src 'none'",
  `style-src 'sha256-${createHash('sha256').update(style).digest('base64')}'`,
  'img-src data:',
  "base-uri 'none'",
  "form-action 'none'",
  "frame-ancestors 'none'",
].join('; ');

/** `/docs`: the reference for people, in their language. `/llms.txt`: the same in short, for language models. */
export function docsRoutes(
  app: Hono<ApiEnvironment>,
  { origin, environment, clock }: Pick<Core, 'origin' | 'environment' | 'clock'>,
): void {
  const site = { origin, keyPrefix: tokenPrefix(environment), ...defaultLimits(environment) };
  const page = {
    en: daily(clock, () => referencePage(site, 'en', style)),
    sk: daily(clock, () => referencePage(site, 'sk', style)),
  } satisfies Record<Language, unknown>;
  const text = daily(clock, () => llmsText(site));

  app.get('/docs', (c) => {
    const language = languageOf(c.req.query('language') ?? c.req.header('accept-language'));
    return sendDocument(c, page[language](), {
      'Content-Type': 'text/html; charset=utf-8',
      'Content-Language': language,
      'Content-Security-Policy': contentSecurityPolicy,
      'Referrer-Policy': 'no-referrer',
      Vary: 'Accept-Language, Accept-Encoding',
    });
  });
  app.get('/docs/', (c) => c.redirect('/docs', 308));
  app.get('/llms.txt', (c) => sendDocument(c, text(), { 'Content-Type': 'text/plain; charset=utf-8' }));
}
