// The root's type check leaves this package out, because n8n's types are not among the default dependencies.
import { mkdir, writeFile } from 'node:fs/promises';
import { createRequire } from 'node:module';
import { dirname, join } from 'node:path';
import { pathToFileURL } from 'node:url';
import { run } from '@dealkeep/tooling';
import { installLintTooling } from './install-lint-tooling.ts';
import { packageFolder } from './tarball-path.ts';

/** Checks nodes, scripts and tests by the repository's rules, with n8n's types out of the tool cache. */
export async function checkTypes(tooling: string): Promise<void> {
  const build = join(packageFolder, 'build');
  const configuration = join(build, 'tsconfig.types.json');
  await mkdir(build, { recursive: true });
  await writeFile(
    configuration,
    JSON.stringify({
      extends: '../../../tsconfig.base.json',
      compilerOptions: {
        module: 'esnext',
        moduleResolution: 'bundler',
        verbatimModuleSyntax: false,
        paths: { 'n8n-workflow': [join(tooling, 'node_modules', 'n8n-workflow')] },
      },
      include: ['../credentials', '../nodes', '../scripts', '../test', '../../testing/src'],
    }),
  );
  const typescript = dirname(createRequire(import.meta.url).resolve('typescript/package.json'));
  await run(process.execPath, [join(typescript, 'bin', 'tsc'), '-p', configuration], packageFolder);
}

if (import.meta.url === pathToFileURL(process.argv[1] ?? '').href)
  await checkTypes(await installLintTooling());
