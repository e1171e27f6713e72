import { readdirSync, readFileSync } from 'node:fs';
import { Browser, sharedDealkeep } from '@dealkeep/testing';
import { expect, test } from 'vitest';

const dealkeep = await sharedDealkeep();
const browser = new Browser(dealkeep);
const page = await browser.get('/sign-in');
const address = /href="(\/assets\/[^"]*\.css)"/.exec(page.html)?.[1] ?? '';

test('the style sheet is compressed for who reads that, and the same for who does not', async () => {
  const [short, long] = [
    await browser.get(address, { 'Accept-Encoding': 'gzip' }),
    await browser.get(address, { 'Accept-Encoding': 'identity' }),
  ];
  expect([short.headers.get('content-encoding'), long.headers.get('content-encoding')]).toEqual([
    'gzip',
    null,
  ]);
  expect(short.html).toBe(long.html);
  expect(long.html).toContain('.board');
  expect(short.headers.get('vary')).toBe('Accept-Encoding');
});

test('assets are kept for good, pages not at all, and no page is compressed', async () => {
  expect((await browser.get(address)).headers.get('cache-control')).toBe(
    'public, max-age=31536000, immutable',
  );
  expect(page.headers.get('cache-control')).toBe('no-store');
  expect(
    (await browser.get('/sign-in', { 'Accept-Encoding': 'gzip' })).headers.get('content-encoding'),
  ).toBeNull();
});

test('what is no page is not there, for whoever asks; nobody is sent to sign in for it', async () => {
  const paths = [
    '/oauth',
    '/oauth/unknown',
    '/oauth/authorize/more',
    '/robots.txt',
    '/assets/x/y.css',
    '/a.php',
  ];
  for (const path of paths) {
    const [got, posted] = [await browser.get(path), await browser.post(path, {})];
    expect([path, got.status, got.location, posted.status]).toEqual([path, 404, undefined, 404]);
  }
  const icon = await browser.get('/favicon.ico');
  expect([icon.status, icon.headers.get('content-type')]).toEqual([200, 'image/svg+xml']);
  expect(icon.html).toContain('<svg');
  expect((await browser.get('/companies')).location).toContain('/sign-in');
});

test('a class is described in one style sheet and by one rule, so that no page changes the looks of another', async () => {
  const folder = new URL('../src/assets/style/', import.meta.url);
  const rulesOf = new Map(
    readdirSync(folder).map((sheet) => {
      const text = readFileSync(new URL(sheet, folder), 'utf8').replaceAll(/\/\*.*?\*\//gs, '');
      const rules = [...text.matchAll(/^([^\s@{}][^{}]*)\{/gm)];
      return [sheet, rules.map(([, selectors = '']) => selectors.replaceAll(/\s+/g, ' ').trim())];
    }),
  );
  const described = [...rulesOf].flatMap(([sheet, rules]) => {
    const alone = rules
      .flatMap((selectors) => selectors.split(','))
      .flatMap((each) => /^\.[\w-]+(?=(?::not\(\[hidden\]\))?$)/.exec(each.trim()) ?? []);
    return [...new Set(alone)].map((name) => ({ name, sheet }));
  });
  expect(described.length).toBeGreaterThan(100);
  const sheets = Map.groupBy(described, ({ name }) => name);
  expect([...sheets.values()].filter((of) => of.length > 1)).toEqual([]);
  const rules = [...rulesOf.values()].flat();
  expect(rules.filter((selectors, at) => rules.indexOf(selectors) < at)).toEqual([]);
});
