// A folder that holds what Zapier needs and nothing else: a bundle of our code, the platform's core beside it.
import { cp, mkdtemp, readFile, rm, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join, relative } from 'node:path';
import { build, rolldown } from 'rolldown';
import { variants } from '../src/index.ts';
import { coreFolder } from './zapier-tooling.ts';

const packageFolder = join(import.meta.dirname, '..');

export type VariantName = keyof typeof variants;

export function variantNamed(name: string): VariantName {
  if (isVariant(name)) return name;
  throw new Error(`--auth takes one of: ${Object.keys(variants).join(', ')}.`);
}

const isVariant = (name: string): name is VariantName => Object.hasOwn(variants, name);

/** Lays the stage for one variant in a fresh temporary folder and returns its path. */
export async function stage(variant: VariantName): Promise<string> {
  const folder = await mkdtemp(join(tmpdir(), 'dealkeep-zapier-'));
  await bundle(variant, folder);
  await copyCore(folder);
  await cp(join(packageFolder, 'src'), join(folder, 'src'), { recursive: true });
  const manifest = JSON.parse(await readFile(join(packageFolder, 'package.json'), 'utf8'));
  await writeJson(join(folder, 'package.json'), {
    name: manifest.name,
    version: manifest.version,
    private: true,
    type: 'module',
    exports: './integration.js',
    dependencies: { 'zapier-platform-core': manifest.dependencies['zapier-platform-core'] },
  });
  // Tells the platform's command line what does not belong into the zip of the sources.
  await writeFile(join(folder, '.gitignore'), 'node_modules/\nbuild/\n');
  return folder;
}

async function bundle(variant: VariantName, folder: string): Promise<void> {
  const entry = join(folder, 'entry.ts');
  const sources = JSON.stringify(join(packageFolder, 'src', 'index.ts'));
  await writeFile(
    entry,
    `import { integration, variants } from ${sources};
export default integration(variants.${variant});`,
  );
  await build({
    input: entry,
    platform: 'node',
    external: ['zapier-platform-core'],
    transform: { target: 'node22' },
    output: { file: join(folder, 'integration.js'), format: 'esm', minify: true, comments: false },
  });
  await rm(entry);
}

/** Only the packages that the core really loads: the command line takes a manifest of every package it sees. */
async function copyCore(folder: string): Promise<void> {
  const source = await coreFolder();
  const core = await rolldown({
    input: 'zapier-platform-core',
    cwd: source,
    platform: 'node',
    logLevel: 'silent',
  });
  await core.generate();
  const loaded = (await core.watchFiles).map((path) => relative(source, path));
  await core.close();
  const packages = new Set(
    loaded.flatMap((path) => path.match(/^node_modules\/((?:@[^/]+\/)?[^/]+)/)?.[1] ?? []),
  );
  for (const name of packages) {
    const from = join(source, 'node_modules', name);
    await cp(from, join(folder, 'node_modules', name), { recursive: true });
  }
}

const writeJson = (path: string, value: unknown) => writeFile(path, `${JSON.stringify(value, null, 2)}\n`);
