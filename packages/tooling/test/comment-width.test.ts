import { glob, readFile } from 'node:fs/promises';
import { basename, join } from 'node:path';
import { expect, test } from 'vitest';

const repository = join(import.meta.dirname, '../../..');
/** Signs of a line: seven more than a line of code has, since words cannot be broken everywhere. */
const widest = 117;
/** What others have written, or a program writes. */
const notOurs = new Set([
  'node_modules',
  'dist',
  'build',
  'generated',
  'generated-client',
  'released',
  'icons.ts',
]);

const isComment = (line: string): boolean => /^\s*(\/\/|\*|\/\*\*) /.test(line);
/** One word, such as an address, or a single line of code in backticks. */
const cannotBeBroken = (line: string): boolean => /^\s*\S+ (\S+|`[^`]*`)( \*\/)?$/.test(line);

test('a line of a comment is at most 117 signs wide', async () => {
  const wide: string[] = [];
  const exclude = (name: string) => notOurs.has(basename(name));
  for await (const file of glob('{apps,packages}/**/*.{ts,cjs}', { cwd: repository, exclude })) {
    const lines = (await readFile(join(repository, file), 'utf8')).split('\n');
    for (const [index, line] of lines.entries()) {
      if (line.length > widest && isComment(line) && !cannotBeBroken(line)) wide.push(`${file}:${index + 1}`);
    }
  }
  expect(wide).toEqual([]);
});
