import { readdir, readFile } from 'node:fs/promises';
import { join } from 'node:path';
import { expect, test } from 'vitest';

const root = new URL('../../../', import.meta.url).pathname;

/**
 * What decides which texts are the same. The client and the n8n nodes are programs on other machines that bring
 * everything along; they fold names of headers and what is typed into their own lists, and the server decides.
 */
const folders = [
  'packages/contract',
  'packages/core',
  'packages/connectors',
  'apps/api',
  'apps/console',
  'apps/dealkeep',
  'apps/mcp',
  'apps/worker',
];

/**
 * Where letters are made small: the form that texts are compared by, ASCII alone, and words of ours that are shown.
 */
const places = [
  'packages/contract/src/comparison-form.ts',
  'packages/contract/src/text.ts',
  // A file that a browser loads by itself: what is typed narrows a list that is on the page.
  'apps/console/src/assets/script/choice.js',
];

/** From here on migrations compare by `comparison_form`; the one that makes it needs small letters of ASCII. */
const firstMigration = '0061';

async function sources(folder: string): Promise<string[]> {
  const found = await readdir(join(root, folder), { recursive: true });
  return found.filter((name) => /\.(?:ts|js)$/.test(name)).map((name) => join(folder, name));
}

const foldsCase =
  /\.to(?:Locale)?LowerCase\(|\b(?:lower|initcap|casefold)\s*\(|\bi?like any\b|\bilike\b|\bcitext\b/i;

test('case is folded in one place, by JavaScript and by SQL (rule bodies 28)', async () => {
  const files = (await Promise.all(folders.map((folder) => sources(join(folder, 'src'))))).flat();
  const migrations = (await readdir(join(root, 'packages/core/migrations')))
    .filter((name) => name >= firstMigration)
    .map((name) => join('packages/core/migrations', name));
  expect(files.length).toBeGreaterThan(500);
  const found: string[] = [];
  for (const file of [...files, ...migrations]) {
    if (places.includes(file)) continue;
    const lines = (await readFile(join(root, file), 'utf8')).split('\n');
    for (const [index, line] of lines.entries())
      if (foldsCase.test(line) && !/^\s*(?:--|\/\/|\*|\/\*)/.test(line))
        found.push(`${file}:${index + 1}: ${line.trim()}`);
  }
  expect(found, 'compare by `comparisonForm` and `comparison_form`; of ASCII use `asciiLowerCase`').toEqual(
    [],
  );
});
