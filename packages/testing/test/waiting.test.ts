import { glob, readFile } from 'node:fs/promises';
import { join } from 'node:path';
import { expect, test } from 'vitest';

const root = join(import.meta.dirname, '../../..');
const itself = ['packages/testing/src/time.ts', 'packages/testing/test/waiting.test.ts'];

test('tests wait by eventually and expect.poll, whose limit only ends what hangs: none has a short one of its own', async () => {
  const files: string[] = [];
  const places = ['packages/*/test/**/*.ts', 'apps/*/test/**/*.ts', 'packages/testing/src/**/*.ts'];
  for await (const file of glob(places, { cwd: root, exclude: (name) => name.includes('node_modules') })) {
    files.push(file);
  }
  expect(files.length).toBeGreaterThan(300);
  const own = /\bvi\.wait(For|Until)\(|\.poll\([^\n]*timeout: ?[1-5]?\d?_?\d{3}\b/;
  const impatient = await Promise.all(
    files
      .filter((file) => !itself.includes(file) && !/\/real\/|\.real\.ts$/.test(file))
      .map(async (file) => (own.test(await readFile(join(root, file), 'utf8')) ? [file] : [])),
  );
  expect(impatient.flat()).toEqual([]);
});
