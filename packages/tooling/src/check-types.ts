import { mkdir, writeFile } from 'node:fs/promises';
import { createRequire } from 'node:module';
import { dirname, join } from 'node:path';
import { run } from './cached-install.ts';

interface CheckedPackage {
  /** Its folder, two below the repository's root. */
  readonly folder: string;
  /** The folders of its code. */
  readonly include: readonly string[];
  /** Where the packages stand that are not among the default dependencies: `{ 'n8n-workflow': '/cache/…' }`. */
  readonly paths: Readonly<Record<string, string>>;
  readonly compilerOptions?: Readonly<Record<string, unknown>>;
}

/**
 * Checks by the repository's rules a package that the root's type check leaves out, since its types are fetched on
 * demand.
 */
export async function checkTypes({ folder, include, paths, compilerOptions }: CheckedPackage): Promise<void> {
  const build = join(folder, 'build');
  const configuration = join(build, 'tsconfig.types.json');
  await mkdir(build, { recursive: true });
  await writeFile(
    configuration,
    JSON.stringify({
      extends: '../../../tsconfig.base.json',
      compilerOptions: {
        module: 'esnext',
        moduleResolution: 'bundler',
        paths: Object.fromEntries(Object.entries(paths).map(([name, path]) => [name, [path]])),
        ...compilerOptions,
      },
      include: [...include.map((each) => join('..', each)), '../../testing/src'],
    }),
  );
  const typescript = dirname(createRequire(import.meta.url).resolve('typescript/package.json'));
  await run(process.execPath, [join(typescript, 'bin', 'tsc'), '-p', configuration], folder);
}
