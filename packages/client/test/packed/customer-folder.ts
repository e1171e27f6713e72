import { execFile } from 'node:child_process';
import { mkdtemp, rm, writeFile } from 'node:fs/promises';
import { createRequire } from 'node:module';
import { tmpdir } from 'node:os';
import { dirname, join } from 'node:path';
import { promisify } from 'node:util';
import { buildPackage } from '../../bin/build-package.ts';

const run = promisify(execFile);

/** What `npm pack` says of what it made. */
interface PackedTarball {
  readonly filename: string;
  readonly files: readonly { readonly path: string }[];
}

/** What a program printed; its error shows both outputs. */
async function output(command: string, args: readonly string[], folder: string): Promise<string> {
  try {
    return (await run(command, args, { cwd: folder })).stdout;
  } catch (error) {
    const { stdout = '', stderr = '' } = Object(error);
    throw new Error(`${command} ${args.join(' ')} failed:\n${stdout}${stderr}`, { cause: error });
  }
}

/** An empty folder outside of this repository into which a customer has installed the packed client. */
export async function customerFolder() {
  const folder = await mkdtemp(join(tmpdir(), 'dealkeep-customer-'));
  const built = join(folder, 'built');
  await buildPackage(built);
  const printed = await output('npm', ['pack', '--json', '--pack-destination', folder], built);
  const [{ filename, files }]: [PackedTarball] = JSON.parse(printed);
  await rm(built, { recursive: true });
  await writeFile(join(folder, 'package.json'), JSON.stringify({ name: 'customer', type: 'module' }));
  await output('npm', ['install', `./${filename}`, '--prefer-offline', '--no-audit', '--no-fund'], folder);
  return {
    folder,
    /** What the tarball holds. */
    files: files.map(({ path }) => path),
    /** Runs a file by plain Node. */
    node: (file: string, ...flags: string[]) => output(process.execPath, [...flags, file], folder),
    /** Checks files by tsc, declarations of packages included; answers what it complains of. */
    async typeErrors(files: readonly string[], options: Record<string, unknown> = {}): Promise<string> {
      const compilerOptions = {
        strict: true,
        exactOptionalPropertyTypes: true,
        noUncheckedIndexedAccess: true,
        noEmit: true,
        target: 'es2022',
        module: 'nodenext',
        lib: ['es2022', 'dom', 'dom.iterable', 'dom.asynciterable'],
        types: [],
        skipLibCheck: false,
        ...options,
      };
      await writeFile(join(folder, 'tsconfig.json'), JSON.stringify({ compilerOptions, files }));
      const typescript = dirname(createRequire(import.meta.url).resolve('typescript/package.json'));
      return run(process.execPath, [join(typescript, 'bin', 'tsc'), '-p', folder]).then(
        ({ stdout }) => stdout,
        (error) => String(Object(error).stdout),
      );
    },
    remove: () => rm(folder, { recursive: true, force: true }),
  };
}

export type CustomerFolder = Awaited<ReturnType<typeof customerFolder>>;
