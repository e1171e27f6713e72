import { once } from 'node:events';
import { glob, readFile } from 'node:fs/promises';
import { createServer } from 'node:http';
import { join } from 'node:path';
import { expect, onTestFinished, test } from 'vitest';
import { repository } from '../src/release/product.ts';
import { differencesOnNpm, publicationsIn, readPublications } from '../src/release/publications.ts';

/** Maintainers' own, those that say what was, and the table itself. */
const exempt = /^(CONTRIBUTING\.md|(.+\/)?CHANGELOG\.md|docs\/releases\.md|docs\/(rules|decisions)\/.+)$/;
const link = /\[((?:not )?published(?: yet)?)\]\([^)]*releases\.md#what-is-published\)/g;

/**
 * What a document says of a name: undefined when it names it nowhere. A path, a file and a longer name are not the
 * name.
 */
function saidOf(name: string, text: string): string[] | undefined {
  const named = new RegExp(`(?<![\\w/.-])${name.replaceAll(/[.]/g, '\\.')}(?![\\w-]|/|\\.\\w)`);
  const paragraphs = text
    .split(/\n\s*\n/)
    .map((paragraph) => paragraph.replaceAll(/\s+/g, ' '))
    .filter((paragraph) => named.test(paragraph.replaceAll(/\[([^\]]*)\]\([^)]*\)/g, '$1')));
  if (paragraphs.length === 0) return undefined;
  return paragraphs.flatMap((paragraph) => [...paragraph.matchAll(link)].map(([, said = '']) => said));
}

test('every document says of what it names whether that is published, as the table does (rule operator 45)', async () => {
  const publications = (await readPublications()).filter(({ state }) => state !== 'never');
  const wrong: string[] = [];
  const naming = new Set<string>();
  for await (const file of glob(['*.md', 'docs/**/*.md', 'packages/*/README.md'], { cwd: repository })) {
    if (exempt.test(file)) continue;
    const text = await readFile(join(repository, file), 'utf8');
    for (const { name, state } of publications) {
      const said = saidOf(name, text);
      if (said === undefined) continue;
      naming.add(name);
      const words = state === 'yes' ? 'published' : 'not published yet';
      if (said.length === 0 || said.some((each) => each !== words))
        wrong.push(`${file}: a sentence that names ${name} says [${words}](…releases.md#what-is-published)`);
    }
  }
  expect(wrong).toEqual([]);
  expect([...naming].sort()).toEqual(publications.map(({ name }) => name).sort());
});

test('a name is found in a sentence and a command, not in a path, a file or a longer name', () => {
  const says = 'is [not published yet](../releases.md#what-is-published).';
  expect(saidOf('n8n-nodes-dealkeep', `\`n8n-nodes-dealkeep\`\n${says}`)).toEqual(['not published yet']);
  expect(saidOf('page of a release', `the page of a\n[release](x.md)\n\nIt ${says}`)).toEqual([]);
  expect(saidOf('@dealkeep/client', 'npm install @dealkeep/client')).toEqual([]);
  for (const other of [
    'packages/n8n-nodes-dealkeep',
    'n8n-nodes-dealkeep-0.1.0.tgz',
    'n8n-nodes-dealkeep.dealkeep',
  ])
    expect(saidOf('n8n-nodes-dealkeep', other)).toBeUndefined();
});

test('a release says which name npm has or lacks against the documents, and when npm cannot be asked', async () => {
  const registry = createServer(({ url = '' }, response) => {
    const name = decodeURIComponent(url.slice(1));
    const versions: Record<string, string> = { taken: '0.0.1', '@a/here': '0.2.0' };
    const version = versions[name];
    response.statusCode = name === 'broken' ? 500 : version === undefined ? 404 : 200;
    response.setHeader('content-type', 'application/json');
    const packument = {
      name,
      'dist-tags': { latest: version },
      versions: { [`${version}`]: { name, version } },
    };
    response.end(JSON.stringify(response.statusCode === 200 ? packument : { error: 'Not found' }));
  });
  registry.listen(0, '127.0.0.1');
  await once(registry, 'listening');
  onTestFinished(() => void registry.close());
  const address = registry.address();
  const port = typeof address === 'object' ? address?.port : undefined;
  const environment = {
    ...process.env,
    npm_config_registry: `http://127.0.0.1:${port}/`,
    npm_config_fetch_retries: '0',
  };
  const rows = [
    '| containers | `nowhere` | it | yes |',
    '| npm | `taken` | it | not yet |',
    '| npm | `@a/here` | it | not yet |',
    '| npm | `gone` | it | yes |',
  ];
  const page = (lines: string[]) =>
    `# Releases\n\n## What is published\n\n| Where | Name | What | Published |\n| - | - | - | - |\n${lines.join('\n')}\n\nMore.\n`;
  expect(await differencesOnNpm(publicationsIn(page(rows)), environment)).toEqual([
    'docs/releases.md says that @a/here is published "not yet", but npm has version 0.2.0',
    'docs/releases.md says that gone is published, but npm does not know the name',
  ]);
  const broken = publicationsIn(page(['| npm | `broken` | it | yes |']));
  await expect(differencesOnNpm(broken, environment)).rejects.toThrow(
    'npm cannot be asked whether broken is published: 500',
  );
  expect(() => publicationsIn(page(['| npm | `here` | it | soon |']))).toThrow(
    '"soon" is not yes, not yet, never',
  );
});
