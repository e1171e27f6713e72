import { readdir, readFile, rm } from 'node:fs/promises';
import { join } from 'node:path';

export const packageFolder = join(import.meta.dirname, '..');

/** Where `npm run build` leaves the package. */
export async function tarballPath(): Promise<string> {
  const manifest: unknown = JSON.parse(await readFile(join(packageFolder, 'package.json'), 'utf8'));
  const version =
    typeof manifest === 'object' && manifest !== null ? Reflect.get(manifest, 'version') : undefined;
  return join(packageFolder, `n8n-nodes-dealkeep-${version}.tgz`);
}

/** Of several versions beside each other, the documented commands would take all. */
export async function removeTarballs(folder: string): Promise<void> {
  for (const name of await readdir(folder)) {
    if (/^n8n-nodes-dealkeep-.+\.tgz$/.test(name)) await rm(join(folder, name));
  }
}
