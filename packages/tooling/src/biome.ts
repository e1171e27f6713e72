// Biome weighs 97 MB, so it is fetched when somebody lints, not with every install.
import { spawnSync } from 'node:child_process';
import { join } from 'node:path';
import { cachedInstall } from './cached-install.ts';

const version = '2.6.8';
const folder = await cachedInstall({ name: `biome-${version}`, dependencies: { '@biomejs/biome': version } });
const biome = spawnSync(join(folder, 'node_modules', '.bin', 'biome'), process.argv.slice(2), {
  stdio: 'inherit',
});
process.exitCode = biome.status ?? 1;
