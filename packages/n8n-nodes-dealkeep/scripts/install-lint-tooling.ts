// n8n's own build, lint and scan tools weigh 600 MB, so they are fetched when somebody builds the package.
import { cachedInstall } from '@dealkeep/tooling';

export const nodeCliVersion = '0.48.3';

/**
 * Installs n8n's official tooling once and returns its folder.
 *
 * Scripts stay off: one transitive package asks for another package manager in `preinstall`.
 * The first two overrides name versions that exist everywhere; the third gives the scanner a TypeScript
 * that its parser can load (7.x ends it with an exception).
 */
export function installLintTooling(): Promise<string> {
  return cachedInstall({
    name: `n8n-tooling-${nodeCliVersion}`,
    dependencies: {
      '@n8n/node-cli': nodeCliVersion,
      '@n8n/scan-community-package': '0.32.0',
      '@types/node': '24.19.2',
      eslint: '9.29.0',
      'n8n-workflow': '2.41.0',
      typescript: '5.9.2',
    },
    overrides: {
      linkedom: '0.18.12',
      '@langchain/langgraph': '1.4.11',
      typescript: '5.9.2',
    },
    flags: ['--ignore-scripts', '--legacy-peer-deps'],
  });
}
