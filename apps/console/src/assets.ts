import { createHash } from 'node:crypto';
import { readFileSync } from 'node:fs';
import { extname } from 'node:path';
import { gzipSync } from 'node:zlib';
import type { Hono } from 'hono';
import type { ConsoleEnvironment } from './context.ts';

const types = {
  css: 'text/css; charset=utf-8',
  js: 'text/javascript; charset=utf-8',
  svg: 'image/svg+xml',
} as const;

/** In the order in which they override each other. */
const styleSheets = [
  'base',
  'frame',
  'palette',
  'parts',
  'forms',
  'records',
  'record-page',
  'views',
  'bulk',
  'board',
  'calendar',
  'print',
  'lists',
  'home',
  'deliveries',
  'audit',
];

const readAsset = (path: string): string => readFileSync(new URL(`assets/${path}`, import.meta.url), 'utf8');

/**
 * Between which lines of the calendar something stands: a page's policy permits no style in it, so each line has a
 * class.
 */
const calendarRows = Array.from({ length: 97 }, (_, at) => at + 1)
  .map((line) => `.from-${line}{grid-row-start:${line}}.to-${line}{grid-row-end:${line}}`)
  .join('');

/** A script of somebody else, with its licence in its first line. */
const readModule = (name: string): string => readFileSync(new URL(import.meta.resolve(name)), 'utf8');

/**
 * `console.js` is on every page, the palette and the shortcuts where somebody is signed in; the others where a page
 * asks.
 */
const contents = {
  'console.css': [...styleSheets.map((sheet) => readAsset(`style/${sheet}.css`)), calendarRows].join(''),
  'console.js': readAsset('script/console.js'),
  'palette.js': readAsset('script/palette.js'),
  'shortcuts.js': readAsset('script/shortcuts.js'),
  'board.js': readAsset('script/board.js'),
  'calendar.js': readAsset('script/calendar.js'),
  'print.js': readAsset('script/print.js'),
  'sortable.js': readModule('sortablejs/Sortable.min.js'),
  'deliveries.js': readAsset('script/deliveries.js'),
  'form.js': readAsset('script/form.js'),
  'choice.js': readAsset('script/choice.js'),
  'new-record.js': readAsset('script/new-record.js'),
  'list.js': readAsset('script/list.js'),
  'bulk.js': readAsset('script/bulk.js'),
  'icon.svg': readAsset('icon.svg'),
} as const;
export type AssetName = keyof typeof contents;
const assets = Object.entries(contents);

/** One for all, so that scripts import each other by their names. */
const tag = createHash('sha256').update(JSON.stringify(assets)).digest('base64url').slice(0, 12);

/** Where a page finds an asset. The address changes with what they hold, so browsers keep them for good. */
export const assetAddress = (name: AssetName): string => `/assets/${tag}/${name}`;

export function assetRoutes(app: Hono<ConsoleEnvironment>): void {
  // Browsers ask for it by themselves, also where no page has said where the icon is.
  app.get('/favicon.ico', (c) =>
    c.body(contents['icon.svg'], 200, {
      'Content-Type': types.svg,
      'Cache-Control': 'public, max-age=86400',
    }),
  );
  for (const [name, text] of assets) {
    const type = types[extname(name).slice(1) as keyof typeof types];
    // Assets alone are compressed, because they hold nobody's data: the length of a compressed page could give some
    // away (BREACH).
    const compressed = new Uint8Array(gzipSync(text));
    app.get(`/assets/:tag/${name}`, (c) => {
      const headers = {
        'Content-Type': type,
        'Cache-Control': 'public, max-age=31536000, immutable',
        Vary: 'Accept-Encoding',
      };
      if (!/\bgzip\b/.test(c.req.header('accept-encoding') ?? '')) return c.body(text, 200, headers);
      return c.body(compressed, 200, { ...headers, 'Content-Encoding': 'gzip' });
    });
  }
}
