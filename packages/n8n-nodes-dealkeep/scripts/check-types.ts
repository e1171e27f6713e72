import { join } from 'node:path';
import { pathToFileURL } from 'node:url';
import { checkTypes } from '@dealkeep/tooling';
import { installLintTooling } from './install-lint-tooling.ts';
import { packageFolder } from './tarball-path.ts';

/** Checks nodes, scripts and tests, with n8n's types out of the tool cache. */
export const checkNodes = (tooling: string): Promise<void> =>
  checkTypes({
    folder: packageFolder,
    include: ['credentials', 'nodes', 'scripts', 'test'],
    paths: { 'n8n-workflow': join(tooling, 'node_modules', 'n8n-workflow') },
    compilerOptions: { verbatimModuleSyntax: false },
  });

if (import.meta.url === pathToFileURL(process.argv[1] ?? '').href)
  await checkNodes(await installLintTooling());
