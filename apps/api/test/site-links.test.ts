import { mkdir, mkdtemp, rm, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterAll, expect, test } from 'vitest';
import { brokenLinks } from '../site/check-links.ts';
import { stagePages } from '../site/stage.ts';

const folder = await mkdtemp(join(tmpdir(), 'dealkeep-site-'));
afterAll(() => rm(folder, { recursive: true, force: true }));

test('a link of the built site that leads nowhere is found, and so are an anchor and a picture', async () => {
  await mkdir(join(folder, 'built', 'rules'), { recursive: true });
  const write = (page: string, text: string) => writeFile(join(folder, 'built', page), text);
  await write(
    'index.html',
    '<h1 id="top">One</h1><a href="/base/rules/leads.html#leads-1"></a><a href="/base/rules/"></a>',
  );
  await write('rules/index.html', '<a href="../index.html#top"></a><a href="https://example.com/x"></a>');
  await write('rules/leads.html', '<h2 id="leads-1">1</h2><a href="#leads-1"></a>');
  expect(await brokenLinks(join(folder, 'built'), '/base/')).toEqual([]);
  await write('rules/leads.html', '<img src="gone.png"><a href="#leads-1"></a><a href="/elsewhere"></a>');
  expect(await brokenLinks(join(folder, 'built'), '/base/')).toEqual([
    'index.html: /base/rules/leads.html#leads-1',
    'rules/leads.html: #leads-1',
    'rules/leads.html: /elsewhere',
    'rules/leads.html: gone.png',
  ]);
});

test('the site has every document, each at its own place, and the first page is the README', async () => {
  const pages = await stagePages(join(folder, 'staged'));
  const paths = pages.map(({ path }) => path);
  expect(new Set(paths).size).toBe(paths.length);
  expect(paths).toEqual(
    expect.arrayContaining(['index.md', 'changelog.md', 'rules/index.md', 'kubernetes.md']),
  );
  expect(pages.find(({ path }) => path === 'index.md')?.title).toBe('Dealkeep');
});
