// The platform's command line and Zapier's Node version weigh some 250 MB together, so they come on demand.
import { join } from 'node:path';
import { cachedInstall } from '@dealkeep/tooling';

const platformVersion = '19.1.0';
const node22Version = '22.23.3';

/** The folder of the Zapier command line with the core of the same version beside it. */
export function zapierCommandLineFolder(): Promise<string> {
  return cachedInstall({
    name: `zapier-platform-${platformVersion}`,
    dependencies: {
      'zapier-platform-cli': platformVersion,
      'zapier-platform-core': platformVersion,
    },
    // Later versions of get-intrinsic require a file that the build's tracer does not find.
    overrides: { 'get-intrinsic': '1.3.0' },
  });
}

/** The Node executable of the release line that Zapier runs integrations on. */
export async function node22(): Promise<string> {
  const dependency = `node-linux-${process.arch}`;
  const folder = await cachedInstall({
    name: `node-${node22Version}`,
    dependencies: { [dependency]: node22Version },
    flags: ['--force'],
  });
  return join(folder, 'node_modules', dependency, 'bin', 'node');
}
