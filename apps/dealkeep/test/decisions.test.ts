import { glob, readFile } from 'node:fs/promises';
import { join } from 'node:path';
import { describe, expect, test } from 'vitest';

/** `docs/decisions`: that links lead somewhere is checked for all documents in `documentation-links.test.ts`. */
const folder = join(import.meta.dirname, '..', '..', '..', 'docs', 'decisions');

interface DecisionRecord {
  readonly file: string;
  readonly number: string;
  readonly title: string;
  /** The record that took it back, as it is named. */
  readonly supersededBy: string | undefined;
}

const records: DecisionRecord[] = [];
for await (const file of glob('[0-9]*.md', { cwd: folder })) {
  const text = await readFile(join(folder, file), 'utf8');
  const [, number = '', title = ''] = /^# (\d+)\. (.+)\n/.exec(text) ?? [];
  const [, supersededBy] = /^\*\*Superseded by \[(.+?)\]\(/m.exec(text) ?? [];
  records.push({ file, number, title, supersededBy });
}
records.sort((a, b) => (a.file < b.file ? -1 : 1));

test('the index names every record by its title, in their order, and those that were taken back by what', async () => {
  const index = await readFile(join(folder, 'README.md'), 'utf8');
  expect(index.split('\n').filter((line) => line.startsWith('- '))).toEqual(
    records.map(({ file, number, title, supersededBy }) => {
      const by = supersededBy === undefined ? '' : `, superseded by ${supersededBy.split('.')[0]}`;
      return `- [${number}. ${title}](${file})${by}`;
    }),
  );
});

describe.each(records)('$file', ({ file, number, supersededBy }) => {
  test('is numbered as its file is', () => {
    expect(file).toMatch(new RegExp(`^${number.padStart(4, '0')}-`));
  });

  test('names the record that took it back by its title, where one did', () => {
    const titles = records.map((each) => `${each.number}. ${each.title}`);
    if (supersededBy !== undefined) expect(titles).toContain(supersededBy);
  });
});
