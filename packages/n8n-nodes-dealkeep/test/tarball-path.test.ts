import { mkdtemp, readdir, rm, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { expect, onTestFinished, test } from 'vitest';
import { removeTarballs } from '../scripts/tarball-path.ts';

test('a build leaves no tarball of an older version beside the new one', async () => {
  const folder = await mkdtemp(join(tmpdir(), 'tarballs-'));
  onTestFinished(() => rm(folder, { recursive: true }));
  const others = ['README.md', 'another-1.0.0.tgz'];
  for (const name of ['n8n-nodes-dealkeep-0.0.1.tgz', 'n8n-nodes-dealkeep-1.2.3-rc.1.tgz', ...others]) {
    await writeFile(join(folder, name), '');
  }
  await removeTarballs(folder);
  expect((await readdir(folder)).sort()).toEqual(others.sort());
});
