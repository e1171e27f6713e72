// A copy of the repository, in which a walk adds what the next version may have.
import { existsSync } from 'node:fs';
import { cp, mkdir, mkdtemp, readdir, readFile, symlink, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';

const repository = join(import.meta.dirname, '..', '..', '..');
/** What is made or fetched, and the history. */
const notCopied = new Set(['.git', 'node_modules', 'build']);

/** Makes the copy in a folder that the caller removes. */
export async function copyRepository(): Promise<string> {
  const copy = await mkdtemp(join(tmpdir(), 'dealkeep-walk-'));
  for (const name of await readdir(repository)) {
    if (notCopied.has(name)) continue;
    await cp(join(repository, name), join(copy, name), {
      recursive: true,
      filter: (path) => !path.endsWith('/node_modules'),
    });
  }
  await linkPackages(copy);
  return copy;
}

/** The packages of others as they are installed, ours as they are in the copy. */
async function linkPackages(copy: string): Promise<void> {
  const packages = await Promise.all(
    ['apps', 'packages'].map(async (folder) =>
      (await readdir(join(copy, folder))).map((name) => join(folder, name)),
    ),
  );
  for (const folder of ['.', ...packages.flat()]) {
    const installed = join(repository, folder, 'node_modules');
    if (!existsSync(installed)) continue;
    const linked = join(copy, folder, 'node_modules');
    await mkdir(linked, { recursive: true });
    for (const name of await readdir(installed)) {
      if (!name.startsWith('.') && !isOurs(name)) await symlink(join(installed, name), join(linked, name));
    }
  }
  for (const folder of packages.flat()) {
    const manifest = await readFile(join(copy, folder, 'package.json'), 'utf8');
    const link = join(copy, 'node_modules', JSON.parse(manifest).name);
    await mkdir(join(link, '..'), { recursive: true });
    await symlink(join(copy, folder), link);
  }
}

function isOurs(name: string): boolean {
  return name === '@dealkeep' || name === 'dealkeep' || name === 'n8n-nodes-dealkeep';
}

/** Replaces parts of a file, each of which stands there once. */
export async function edit(
  copy: string,
  path: string,
  changes: readonly (readonly [before: string, after: string])[],
): Promise<void> {
  let source = await readFile(join(copy, path), 'utf8');
  for (const [before, after] of changes) {
    if (source.split(before).length !== 2) throw new Error(`${path} has this not once: ${before}`);
    source = source.replace(before, () => after);
  }
  await writeFile(join(copy, path), source);
}
