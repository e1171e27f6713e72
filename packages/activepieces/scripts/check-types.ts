import { join } from 'node:path';
import { pathToFileURL } from 'node:url';
import { checkTypes } from '@dealkeep/tooling';
import { installTooling, packageFolder } from './tooling.ts';

/** Checks the piece, its scripts and its tests, with the framework out of the tool cache. */
export const checkPiece = (tooling: string): Promise<void> =>
  checkTypes({
    folder: packageFolder,
    include: ['src', 'scripts', 'test'],
    paths: { '@activepieces/*': join(tooling, 'node_modules', '@activepieces', '*') },
  });

if (import.meta.url === pathToFileURL(process.argv[1] ?? '').href) await checkPiece(await installTooling());
