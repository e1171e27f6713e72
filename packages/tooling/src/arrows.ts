// dependency-cruiser reads TypeScript with a compiler older than the one that this repository is checked with.
import { spawnSync } from 'node:child_process';
import { join } from 'node:path';
import { cachedInstall } from './cached-install.ts';

const folder = await cachedInstall('dependency-cruiser-18.7.2');
const program = join(folder, 'node_modules', 'dependency-cruiser', 'bin', 'dependency-cruiser.mjs');
const cruise = spawnSync(
  process.execPath,
  [program, '--config', '.dependency-cruiser.cjs', 'packages', 'apps', ...process.argv.slice(2)],
  { stdio: 'inherit' },
);
process.exitCode = cruise.status ?? 1;
