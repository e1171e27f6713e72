// n8n's own build, lint and scan tools weigh 600 MB, so they are fetched when somebody builds the package.
import { cachedInstall } from '@dealkeep/tooling';

export const nodeCliVersion = '0.48.3';

/**
 * Installs n8n's official tooling once and returns its folder.
 *
 * Scripts stay off, as for every tool: one transitive package asks for another package manager in `preinstall`.
 * Two of its overrides name versions that exist everywhere; the third gives the scanner a TypeScript
 * that its parser can load (7.x ends it with an exception).
 */
export function installLintTooling(): Promise<string> {
  return cachedInstall(`n8n-tooling-${nodeCliVersion}`);
}
