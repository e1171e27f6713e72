// Writes nodes/shared/generated/ from the contract; with --check only compares, and fails when something differs.
import { mkdir, readdir, readFile, rm, writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import { generatedFiles } from './generate/files.ts';

const folder = join(import.meta.dirname, '..', 'nodes', 'shared', 'generated');
const files = generatedFiles();

if (process.argv.includes('--check')) {
  const present = await readdir(folder);
  const differing = [...new Set([...files.keys(), ...present])];
  const stale: string[] = [];
  for (const name of differing) {
    const written = present.includes(name) ? await readFile(join(folder, name), 'utf8') : undefined;
    if (written !== files.get(name)) stale.push(name);
  }
  if (stale.length > 0) {
    process.stderr.write(
      `nodes/shared/generated does not follow from the contract: ${stale.join(', ')}. Run npm run generate.\n`,
    );
    process.exitCode = 1;
  }
} else {
  await rm(folder, { recursive: true, force: true });
  await mkdir(folder, { recursive: true });
  for (const [name, content] of files) await writeFile(join(folder, name), content);
}
