// n8n itself (2.2 GB) is fetched when somebody runs the package in it.
import { spawnSync } from 'node:child_process';
import { existsSync } from 'node:fs';
import { createRequire } from 'node:module';
import { dirname, join } from 'node:path';
import { cachedInstall, run } from '@dealkeep/tooling';

/** The newest release whose dependencies are all published. */
export const n8nVersion = '2.41.1';

/** Installs n8n once and returns its folder. Needs python3, make and a C++ compiler for its database driver. */
export function installN8n(version = n8nVersion): Promise<string> {
  return cachedInstall(`n8n-${version}`, buildDatabaseDriver);
}

/** The only install script that n8n cannot do without: everything else of it is JavaScript. */
async function buildDatabaseDriver(folder: string): Promise<void> {
  for (const tool of ['python3', 'make', 'g++']) {
    if (spawnSync(tool, ['--version']).status !== 0) {
      throw new Error(`n8n needs ${tool} to build its database driver (apt-get install python3 make g++)`);
    }
  }
  // The node-gyp that comes with the driver is too old for Python 3.12 and newer.
  const nodeGyp = await cachedInstall('node-gyp-11.4.2');
  await run(
    process.execPath,
    [
      join(nodeGyp, 'node_modules', 'node-gyp', 'bin', 'node-gyp.js'),
      'rebuild',
      `--nodedir=${nodeWithHeaders()}`,
    ],
    join(folder, 'node_modules', 'sqlite3'),
  );
}

/** The Node of our own dependencies brings its headers, so node-gyp need not download them. */
function nodeWithHeaders(): string {
  const name = `node-${process.platform}-${process.arch}`;
  const folder = dirname(createRequire(import.meta.url).resolve(`${name}/package.json`));
  if (!existsSync(join(folder, 'include', 'node', 'node_api.h'))) {
    throw new Error(`${name} has no headers in ${folder}`);
  }
  return folder;
}
