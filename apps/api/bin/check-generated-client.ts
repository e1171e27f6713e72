// Generates types of the OpenAPI description that a running Dealkeep serves, with a public generator, as a customer
// would; type-checks a program that uses them with the oldest and the newest TypeScript that we support, and runs it.
import { spawn } from 'node:child_process';
import { once } from 'node:events';
import { copyFile, mkdtemp, rm, symlink, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { basePath } from '@dealkeep/contract';
import { cachedInstall, run } from '@dealkeep/tooling';

const repository = join(import.meta.dirname, '..', '..', '..');
const program = 'use-the-api.ts';
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
  include: ['*.ts'],
};

const tools = await cachedInstall('openapi-client-7.13.0');
const modules = join(tools, 'node_modules');

const folder = await mkdtemp(join(tmpdir(), 'dealkeep-generated-client-'));
try {
  const { origin, key, stop } = await startDealkeep(join(folder, 'data'));
  try {
    await symlink(modules, join(folder, 'node_modules'), 'junction');
    await copyFile(join(import.meta.dirname, '..', 'generated-client', program), join(folder, program));
    await writeFile(join(folder, 'package.json'), JSON.stringify({ type: 'module' }));
    await writeFile(join(folder, 'tsconfig.json'), JSON.stringify(customersSettings));
    const description = `${origin}/api/v1/openapi/public-v1.yaml`;
    await node(join(modules, 'openapi-typescript', 'bin', 'cli.js'), description, '-o', 'public-v1.ts');
    await node(join(modules, 'typescript', 'bin', 'tsc'));
    await node(join(repository, 'node_modules', 'typescript', 'bin', 'tsc'));
    await node(program, `${origin}${basePath}`, key);
    process.stdout.write('The generated client compiles, and works.\n');
  } finally {
    await stop();
  }
} finally {
  await rm(folder, { recursive: true, force: true });
}

function node(script: string, ...args: readonly string[]): Promise<void> {
  return run(process.execPath, [script, ...args], folder);
}

/** Dealkeep as a newcomer starts it, on a free port with the demo organization. */
async function startDealkeep(dataDir: string) {
  const child = spawn(process.execPath, [join(repository, 'apps/dealkeep/bin/dealkeep.js'), 'start'], {
    env: { PATH: process.env['PATH'], HOME: process.env['HOME'], DATA_DIR: dataDir, PORT: '0' },
    stdio: ['ignore', 'pipe', 'inherit'],
  });
  const ended = once(child, 'close');
  const stop = async (): Promise<void> => {
    child.kill('SIGTERM');
    await ended;
  };
  let said = '';
  const ready = new Promise<{ origin: string; key: string }>((resolve, reject) => {
    child.stdout.on('data', (chunk) => {
      said += chunk;
      const key = /API key +(dk_\w+)/.exec(said)?.[1];
      const origin = /OpenAPI +(http:\/\/[^/\s]+)/.exec(said)?.[1];
      if (key !== undefined && origin !== undefined) resolve({ origin, key });
    });
    ended.then(() => reject(new Error(`Dealkeep did not start: ${said}`)), reject);
  });
  return { ...(await ready), stop };
}
