import { readdir, readFile } from 'node:fs/promises';
import { join, relative } from 'node:path';
import { generatedFolders } from './files.ts';

/** Where the paths of generated files begin. */
export const nodesFolder = join(import.meta.dirname, '..', '..', 'nodes');

/** The generated files as they stand in the repository, by their path below `nodes/`. */
export async function writtenFiles(): Promise<Map<string, string>> {
  const found = new Map<string, string>();
  for (const folder of generatedFolders) {
    const entries = await readdir(join(nodesFolder, folder), { recursive: true, withFileTypes: true });
    for (const entry of entries.filter((each) => each.isFile())) {
      const path = join(entry.parentPath, entry.name);
      found.set(relative(nodesFolder, path).replaceAll('\\', '/'), await readFile(path, 'utf8'));
    }
  }
  return found;
}
