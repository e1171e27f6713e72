import { cp, rm, stat } from 'node:fs/promises';
import { extname, join } from 'node:path';
import { bundle } from './bundle.ts';
import { checkRequires } from './check-requires.ts';

/** What of the sources goes into the package as it is: icons, codex files, shapes of outputs. */
const kept = ['.json', '.svg'];

/** Makes the folder `dist` of the package from its sources, by nothing but what the repository itself installs. */
export async function assemble(source: string, dist: string): Promise<void> {
  await rm(dist, { recursive: true, force: true });
  for (const folder of ['credentials', 'icons', 'nodes']) {
    const filter = async (path: string) => kept.includes(extname(path)) || (await stat(path)).isDirectory();
    await cp(join(source, folder), join(dist, folder), { recursive: true, filter });
  }
  await bundle(source, dist);
  await checkRequires(dist);
}
