import { createHash } from 'node:crypto';
import { readFileSync } from 'node:fs';
import { gzipSync } from 'node:zlib';
import type { Hono } from 'hono';
import type { ConsoleEnvironment } from './context.ts';

const types = {
  'console.css': 'text/css; charset=utf-8',
  'console.js': 'text/javascript; charset=utf-8',
  'icon.svg': 'image/svg+xml',
} as const;
type AssetName = keyof typeof types;

/** In the order in which they override each other. */
const styleSheets = ['base', 'frame', 'parts', 'forms', 'records', 'home'];
const readAsset = (path: string): string => readFileSync(new URL(`assets/${path}`, import.meta.url), 'utf8');

const names = Object.keys(types).filter((name): name is AssetName => name in types);
const contents = new Map(
  names.map((name) => [
    name,
    name === 'console.css'
      ? styleSheets.map((sheet) => readAsset(`style/${sheet}.css`)).join('')
      : readAsset(name),
  ]),
);
const tags = new Map(
  [...contents].map(([name, text]) => [
    name,
    createHash('sha256').update(text).digest('base64url').slice(0, 12),
  ]),
);

/** Where a page finds an asset. The address changes with its content, so browsers keep it for good. */
export const assetAddress = (name: AssetName): string => `/assets/${tags.get(name)}/${name}`;

export function assetRoutes(app: Hono<ConsoleEnvironment>): void {
  // Browsers ask for it by themselves, also where no page has said where the icon is.
  app.get('/favicon.ico', (c) =>
    c.body(contents.get('icon.svg') ?? '', 200, {
      'Content-Type': types['icon.svg'],
      'Cache-Control': 'public, max-age=86400',
    }),
  );
  for (const name of names) {
    const text = contents.get(name) ?? '';
    // Assets alone are compressed, because they hold nobody's data: the length of a compressed page could give some
    // away (BREACH).
    const compressed = new Uint8Array(gzipSync(text));
    app.get(`/assets/:tag/${name}`, (c) => {
      const headers = {
        'Content-Type': types[name],
        'Cache-Control': 'public, max-age=31536000, immutable',
        Vary: 'Accept-Encoding',
      };
      if (!/\bgzip\b/.test(c.req.header('accept-encoding') ?? '')) return c.body(text, 200, headers);
      return c.body(compressed, 200, { ...headers, 'Content-Encoding': 'gzip' });
    });
  }
}
