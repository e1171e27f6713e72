import type { Browser } from '@dealkeep/testing';

const someId = /[0-9a-f]{8}-[0-9a-f]{4}-[0-9a-f]{4}-[0-9a-f]{4}-[0-9a-f]{12}|evt_[\w-]+/g;
/** So many of a shape are looked into: of records more, since they offer other steps in other states. */
const lookedInto = (shape: string): number => (shape.endsWith('/:id') ? 12 : 2);

/** What an address is, whichever record or event it is about: `/leads/:id/move`. */
const shapeOf = (path: string): string =>
  path
    .replace(/\?.*$/, '')
    .replaceAll(someId, ':id')
    .replace(/\b[a-z]+\.[a-z_]+$/, ':type');

/**
 * Every page that links lead to from some pages, one address for each shape; what is no page of ours is left out.
 */
export async function crawl(browser: Browser, from: readonly string[]): Promise<Map<string, string>> {
  const pages = new Map<string, string>();
  const seen = new Map<string, Set<string>>();
  const waiting = [...from];
  for (let path = waiting.shift(); path !== undefined; path = waiting.shift()) {
    const shape = shapeOf(path);
    const known = seen.get(shape) ?? new Set();
    if (known.has(path) || known.size >= lookedInto(shape)) continue;
    seen.set(shape, known.add(path));
    const { status, headers, html } = await browser.get(path);
    // A download is no page.
    if (!headers.get('content-type')?.startsWith('text/html')) continue;
    if (!headers.get('content-security-policy')?.includes("style-src 'self';") || status >= 300) continue;
    if (!pages.has(shape)) pages.set(shape, path);
    for (const [, href = ''] of html.matchAll(/ href="(\/[^"#]*)"/g)) {
      const next = href.replaceAll('&amp;', '&');
      if (!next.startsWith('/assets/')) waiting.push(next);
    }
  }
  return pages;
}
