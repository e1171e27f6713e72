import { readFile } from 'node:fs/promises';
import { join } from 'node:path';

export const packageFolder = join(import.meta.dirname, '..');

/** Where `npm run build` leaves the package. */
export async function tarballPath(): Promise<string> {
  const manifest: unknown = JSON.parse(await readFile(join(packageFolder, 'package.json'), 'utf8'));
  const version =
    typeof manifest === 'object' && manifest !== null ? Reflect.get(manifest, 'version') : undefined;
  return join(packageFolder, `n8n-nodes-dealkeep-${version}.tgz`);
}
