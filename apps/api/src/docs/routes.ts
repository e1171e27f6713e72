import { createHash } from 'node:crypto';
import { readFileSync } from 'node:fs';
import { promisify } from 'node:util';
import { gzip } from 'node:zlib';
import { type Language, languageOf } from '@dealkeep/contract';
import { type Core, defaultLimits, tokenPrefix } from '@dealkeep/core';
import type { Context, Hono } from 'hono';
import { accepts } from 'hono/accepts';
import type { ApiEnvironment } from '../api.ts';

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

/** A text that never changes while the process runs, ready to be sent. */
interface Resource {
  plain: Buffer<ArrayBuffer>;
  compressed: Buffer<ArrayBuffer>;
  tag: string;
}

/** `/docs`: the reference for people, in their language. `/llms.txt`: the same in short, for language models. */
export function docsRoutes(app: Hono<ApiEnvironment>, { origin, environment }: Core): void {
  const site = { origin, keyPrefix: tokenPrefix(environment), ...defaultLimits(environment) };
  const page = {
    en: once(() => referencePage(site, 'en', style)),
    sk: once(() => referencePage(site, 'sk', style)),
  } satisfies Record<Language, unknown>;
  const text = once(() => Promise.resolve(llmsText(site)));

  app.get('/docs', async (c) => {
    const language = languageOf(c.req.query('language') ?? c.req.header('accept-language'));
    return send(c, await page[language](), {
      'Content-Type': 'text/html; charset=utf-8',
      'Content-Language': language,
      'Content-Security-Policy': contentSecurityPolicy,
      'Referrer-Policy': 'no-referrer',
      Vary: 'Accept-Language, Accept-Encoding',
    });
  });
  app.get('/docs/', (c) => c.redirect('/docs', 308));
  app.get('/llms.txt', async (c) =>
    send(c, await text(), { 'Content-Type': 'text/plain; charset=utf-8', Vary: 'Accept-Encoding' }),
  );
}

/** Makes the resource at the first request for it. */
function once(write: () => Promise<string>): () => Promise<Resource> {
  let made: Promise<Resource> | undefined;
  return () => {
    made ??= write().then(prepare);
    return made;
  };
}

async function prepare(content: string): Promise<Resource> {
  const plain = Buffer.from(content);
  const compressed = Buffer.from(await promisify(gzip)(plain));
  return { plain, compressed, tag: createHash('sha256').update(plain).digest('base64url').slice(0, 22) };
}

function send(
  c: Context<ApiEnvironment>,
  resource: Resource,
  headers: Readonly<Record<string, string>>,
): Response {
  const encoding = accepts(c, {
    header: 'Accept-Encoding',
    supports: ['gzip', 'identity'],
    default: 'identity',
  });
  const tag = `W/"${resource.tag}"`;
  const all = { ...headers, ETag: tag, 'Cache-Control': 'no-cache', 'X-Content-Type-Options': 'nosniff' };
  const known = c.req
    .header('if-none-match')
    ?.split(',')
    .map((each) => each.trim());
  if (known?.includes(tag)) return new Response(null, { status: 304, headers: all });
  if (encoding !== 'gzip') return new Response(resource.plain, { headers: all });
  return new Response(resource.compressed, { headers: { ...all, 'Content-Encoding': 'gzip' } });
}
