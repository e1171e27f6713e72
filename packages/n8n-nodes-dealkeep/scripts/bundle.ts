import { join } from 'node:path';
import { rolldown } from 'rolldown';
import manifest from '../package.json' with { type: 'json' };

/**
 * Compiles the sources into a bundle: a file for each node and credential, and one for what they share. Names stay
 * as they are written; comments and white space go, which are a third of what everybody who installs the package waits
 * for. The sources stand in the repository, which the package names.
 */
export async function bundle(source: string, dist: string): Promise<void> {
  const entries = [...manifest.n8n.nodes, ...manifest.n8n.credentials].map((path) =>
    path.slice('dist/'.length, -'.js'.length),
  );
  const bundled = await rolldown({
    input: Object.fromEntries(entries.map((name) => [name, join(source, `${name}.ts`)])),
    external: ['n8n-workflow', /^node:/],
    platform: 'node',
  });
  await bundled.write({
    dir: dist,
    format: 'cjs',
    exports: 'named',
    comments: false,
    entryFileNames: '[name].js',
    chunkFileNames: 'nodes/[name].js',
    codeSplitting: { groups: [{ name: 'shared', minShareCount: 2 }] },
    minify: { compress: false, mangle: false, codegen: { removeWhitespace: true } },
  });
  await bundled.close();
}
