// Biome weighs 97 MB, so it is fetched when somebody lints, not with every install.
import { spawnSync } from 'node:child_process';
import { join } from 'node:path';
import { cachedInstall } from './cached-install.ts';

const folder = await cachedInstall('biome-2.6.8');
const biome = spawnSync(join(folder, 'node_modules', '.bin', 'biome'), process.argv.slice(2), {
  stdio: 'inherit',
});
process.exitCode = biome.status ?? 1;
