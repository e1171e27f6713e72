import { existsSync } from 'node:fs';
import { mkdtemp, rm, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { run } from '@dealkeep/tooling';
import type { TestProject } from 'vitest/node';
import manifest from '../../package.json' with { type: 'json' };
import { tarballPath } from '../../scripts/tarball-path.ts';
import { installTooling } from '../../scripts/tooling.ts';

declare module 'vitest' {
  interface ProvidedContext {
    /** The folder of the installed piece. */
    pieceFolder: string;
    /** The `node_modules` of the platform's own packages. */
    platformModules: string;
  }
}

/** Installs the packed piece where nothing else is, which is what the platform does with it. */
export default async function setup(project: TestProject): Promise<() => Promise<void>> {
  if (!existsSync(tarballPath)) {
    throw new Error(`${tarballPath} is not there: run npm run build:activepieces first`);
  }
  const folder = await mkdtemp(join(tmpdir(), 'activepieces-'));
  await writeFile(join(folder, 'package.json'), JSON.stringify({ private: true }));
  await run(
    'npm',
    ['install', '--offline', '--no-audit', '--no-fund', '--loglevel=error', tarballPath],
    folder,
  );
  project.provide('pieceFolder', join(folder, 'node_modules', ...manifest.name.split('/')));
  project.provide('platformModules', join(await installTooling(), 'node_modules'));
  return () => rm(folder, { recursive: true, force: true });
}
