// Generates clients of the OpenAPI description that a running Dealkeep serves, with two public generators, as
// customers would: each holds every operation; programs that use them are type-checked with the oldest and the
// newest TypeScript that we support, and run. Each example of a request is sent, and accepted.
import { copyFile, mkdtemp, readFile, rm, symlink, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { basePath, operationIds } from '@dealkeep/contract';
import { cachedInstall, run } from '@dealkeep/tooling';
import { reachableTarget, startDealkeep } from './start-dealkeep.ts';

const repository = join(import.meta.dirname, '..', '..', '..');
const programs = ['use-the-api.ts', 'use-hey-api.ts', 'send-examples.ts'];
const customersSettings = {
  compilerOptions: {
    target: 'es2024',
    lib: ['es2024', 'dom', 'dom.iterable'],
    module: 'nodenext',
    types: ['node'],
    strict: true,
    noUncheckedIndexedAccess: true,
    exactOptionalPropertyTypes: true,
    allowImportingTsExtensions: true,
    noEmit: true,
  },
  files: ['use-the-api.ts', 'send-examples.ts'],
};
/** The code that @hey-api/openapi-ts writes besides ours knows no exact optional properties. */
const heyApiCustomers = {
  compilerOptions: { ...customersSettings.compilerOptions, exactOptionalPropertyTypes: false },
  files: ['use-hey-api.ts'],
};
const heyApiSettings = (input: string) => ({
  input,
  output: { path: 'hey-api', importFileExtension: '.ts' },
  plugins: ['@hey-api/client-fetch', '@hey-api/sdk', '@hey-api/typescript'],
});

const tools = await cachedInstall('openapi-client-7.13.0');
const modules = join(tools, 'node_modules');
const heyApi = join(await cachedInstall('openapi-ts-0.99.0'), 'node_modules');

const folder = await mkdtemp(join(tmpdir(), 'dealkeep-generated-client-'));
try {
  const { origin, key, stop } = await startDealkeep(join(folder, 'data'));
  try {
    await symlink(modules, join(folder, 'node_modules'), 'junction');
    for (const program of programs) {
      await copyFile(join(import.meta.dirname, '..', 'generated-client', program), join(folder, program));
    }
    await writeFile(join(folder, 'package.json'), JSON.stringify({ type: 'module' }));
    await writeFile(join(folder, 'tsconfig.json'), JSON.stringify(customersSettings));
    const description = `${origin}/api/v1/openapi/public-v1.yaml`;
    await node(join(modules, 'openapi-typescript', 'bin', 'cli.js'), description, '-o', 'public-v1.ts');
    const types = await readFile(join(folder, 'public-v1.ts'), 'utf8');
    const dropped = operationIds.filter((id) => !types.includes(`operations["${id}"]`));
    if (dropped.length > 0) throw new Error(`openapi-typescript dropped ${dropped.join(', ')}`);
    const settings = `export default ${JSON.stringify(heyApiSettings(description))};\n`;
    await writeFile(join(folder, 'openapi-ts.config.mjs'), settings);
    await node(join(heyApi, '@hey-api', 'openapi-ts', 'bin', 'run.js'), '-f', 'openapi-ts.config.mjs');
    await writeFile(join(folder, 'tsconfig.hey-api.json'), JSON.stringify(heyApiCustomers));
    for (const compiler of [modules, join(repository, 'node_modules')]) {
      for (const project of ['tsconfig.json', 'tsconfig.hey-api.json']) {
        await node(join(compiler, 'typescript', 'bin', 'tsc'), '-p', project);
      }
    }
    await node('use-the-api.ts', `${origin}${basePath}`, key);
    await node('use-hey-api.ts', `${origin}${basePath}`, key, ...operationIds);
    await node(
      'send-examples.ts',
      `${origin}${basePath}`,
      key,
      description.replace(/yaml$/, 'json'),
      reachableTarget,
    );
    process.stdout.write('The generated clients compile, and work.\n');
  } finally {
    await stop();
  }
} finally {
  await rm(folder, { recursive: true, force: true });
}

function node(script: string, ...args: readonly string[]): Promise<void> {
  return run(process.execPath, [script, ...args], folder);
}
