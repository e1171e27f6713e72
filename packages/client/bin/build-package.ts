import { execFile } from 'node:child_process';
import { cp, mkdir, mkdtemp, readdir, readFile, rm, writeFile } from 'node:fs/promises';
import { createRequire } from 'node:module';
import { dirname, join } from 'node:path';
import { promisify } from 'node:util';
import { printContract } from './print-contract.ts';

const home = join(import.meta.dirname, '..');

/**
 * Makes the package that is published, in `target`: compiled by tsc from this package's sources, in which what is
 * read from the contract is replaced by the same, printed. `target` is emptied first.
 */
export async function buildPackage(target: string): Promise<void> {
  // Below this package, so that its dependencies are found.
  await mkdir(join(home, 'build'), { recursive: true });
  const stage = await mkdtemp(join(home, 'build', 'stage-'));
  try {
    await writeSources(stage);
    await rm(target, { recursive: true, force: true });
    await compile(stage, join(target, 'lib'));
  } finally {
    await rm(stage, { recursive: true, force: true });
  }
  await nameDeclarations(join(target, 'lib'));
  const manifest = publishedManifest(JSON.parse(await readFile(join(home, 'package.json'), 'utf8')));
  await writeFile(join(target, 'package.json'), `${JSON.stringify(manifest, null, 2)}\n`);
  await cp(join(home, 'README.md'), join(target, 'README.md'));
  await cp(join(home, '../../LICENSE'), join(target, 'LICENSE'));
}

async function writeSources(stage: string): Promise<void> {
  await cp(join(home, 'src'), stage, { recursive: true });
  for (const [file, text] of Object.entries(printContract())) await writeFile(join(stage, file), text);
}

async function compile(stage: string, outDir: string): Promise<void> {
  const configuration = {
    extends: join(home, '../../tsconfig.base.json'),
    compilerOptions: {
      noEmit: false,
      declaration: true,
      outDir,
      rootDir: stage,
      // What Node 20, Deno, Bun, browsers and edge platforms share: the Web's own objects, nothing of Node.
      target: 'es2022',
      lib: ['es2022', 'dom', 'dom.iterable', 'dom.asynciterable'],
      types: [],
    },
    include: [stage],
  };
  const project = join(stage, 'tsconfig.json');
  await writeFile(project, JSON.stringify(configuration));
  const typescript = dirname(createRequire(import.meta.url).resolve('typescript/package.json'));
  await promisify(execFile)(process.execPath, [join(typescript, 'bin', 'tsc'), '-p', project]).catch(
    (error: Error & { stdout?: string }) => {
      throw new Error(`The published sources do not compile:\n${error.stdout ?? ''}`, { cause: error });
    },
  );
}

/** tsc leaves `./error.ts` in declarations as it is; not every reader of declarations finds error.d.ts by that. */
async function nameDeclarations(folder: string): Promise<void> {
  for (const file of await readdir(folder, { recursive: true })) {
    if (!file.endsWith('.d.ts')) continue;
    const text = await readFile(join(folder, file), 'utf8');
    await writeFile(join(folder, file), text.replaceAll(/(from ["']\.\/[\w/-]+)\.ts(["'])/g, '$1.js$2'));
  }
}

interface SourceManifest {
  readonly name: string;
  readonly version: string;
  readonly dependencies: Readonly<Record<string, string>>;
  readonly [member: string]: unknown;
}

/** Only for this repository. */
const sourceMembers = new Set(['private', 'scripts', 'devDependencies']);

/**
 * The package.json that is published: that of the sources, with entry points to what was built, and without the
 * packages whose part is printed into it.
 */
function publishedManifest(source: SourceManifest): Record<string, unknown> {
  const kept = Object.entries(source).filter(([member]) => !sourceMembers.has(member));
  const dependencies = Object.entries(source.dependencies).filter(([name]) => !name.startsWith('@dealkeep/'));
  return {
    ...Object.fromEntries(kept),
    sideEffects: false,
    exports: {
      '.': { types: './lib/index.d.ts', default: './lib/index.js' },
      './package.json': './package.json',
    },
    files: ['lib'],
    dependencies: Object.fromEntries(dependencies),
    publishConfig: { access: 'public' },
  };
}
