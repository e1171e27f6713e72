import { builtinModules } from 'node:module';
import { join } from 'node:path';
import { build } from 'rolldown';
import { packageFolder } from './tooling.ts';

/**
 * Makes one file of the piece with all that it needs, as the platform publishes its own: whoever installs it fetches
 * nothing else.
 */
export async function bundle(tooling: string, file: string): Promise<void> {
  await build({
    input: join(packageFolder, 'src', 'index.ts'),
    platform: 'node',
    external: [/^node:/, ...builtinModules],
    resolve: { alias: aliases(tooling) },
    transform: { target: 'node20' },
    output: {
      file,
      format: 'cjs',
      exports: 'named',
      // The engine knows a piece by the name of its class.
      keepNames: true,
      minify: true,
      comments: false,
      codeSplitting: false,
    },
  });
}

const aliases = (tooling: string) =>
  Object.fromEntries(
    ['pieces-common', 'pieces-framework', 'shared'].map((name) => [
      `@activepieces/${name}`,
      join(tooling, 'node_modules', '@activepieces', name, 'src', 'index.js'),
    ]),
  );
