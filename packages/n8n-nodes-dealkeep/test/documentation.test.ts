import { readdir, readFile } from 'node:fs/promises';
import { join } from 'node:path';
import { events } from '@dealkeep/contract';
import { describe, expect, test } from 'vitest';
import { oauthScopes } from '../nodes/shared/generated/oauth.ts';
import manifest from '../package.json' with { type: 'json' };
import { messagesInSource } from './messages-in-source.ts';

const packageFolder = join(import.meta.dirname, '..');
const docs = join(packageFolder, '..', '..', 'docs');
const guide = await readFile(join(docs, 'n8n.md'), 'utf8');
const readme = await readFile(join(packageFolder, 'README.md'), 'utf8');
const sectionOf = (text: string, title: string): string =>
  text.split('\n## ').find((each) => each.startsWith(title)) ?? '';

describe('docs/n8n.md', async () => {
  const said = await messagesInSource();
  const table = sectionOf(guide, 'Troubleshooting by message');
  const told = [...table.matchAll(/^\| (.+?) +\|/gm)]
    .map(([, cell = '']) => cell)
    .filter((cell) => !/^(Message|-+)$/.test(cell));

  test.each(said)('says what to do about: %s', (message) => expect(told).toContain(message));

  test('says it of nothing that is not said', () => {
    expect(told.filter((message) => !said.includes(message))).toEqual([]);
  });

  test('links every example', async () => {
    const linked = [...guide.matchAll(/examples\/([\w-]+\.json)/g)].map(([, name]) => name);
    expect(linked.toSorted()).toEqual((await readdir(join(packageFolder, 'examples'))).toSorted());
  });

  test('registers n8n with the scopes that an application can have', () => {
    expect(/--scopes (\S+)/.exec(guide)?.[1]?.split(',')).toEqual(oauthScopes);
  });
});

test('the README has the sections that n8n asks for', () => {
  const sections = [...readme.matchAll(/^## (.+)$/gm)].map(([, title]) => title);
  expect(sections).toEqual(
    expect.arrayContaining([
      ...[
        'Installation',
        'Operations',
        'Credentials',
        'Compatibility',
        'Usage',
        'Resources',
        'Version history',
      ],
    ]),
  );
});

test('the README names every event', () => {
  const list = sectionOf(readme, 'Operations').toLowerCase();
  for (const { label } of Object.values(events)) expect(list).toContain(label.en.toLowerCase());
});

test('the changelog tells of the version of the package', async () => {
  const changelog = await readFile(join(packageFolder, 'CHANGELOG.md'), 'utf8');
  expect(changelog).toContain(`\n## ${manifest.version}\n`);
});
