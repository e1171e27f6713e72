import { mkdir, readFile, writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import { type FlatSurface, surfaceBreaks, surfaceText } from './surface-breaks.ts';

/** What stands in `released/surface.json` of a package, beside its version. */
interface Released {
  readonly version: string;
  readonly surface: FlatSurface;
}

/**
 * A command of a package: compares what people rely on with its last release, which another major version alone may
 * break; with `--release`, keeps it as the released one.
 *
 * @param folder of the package
 */
export async function compareWithReleased(folder: string, surface: FlatSurface): Promise<void> {
  const { name, version }: { name: string; version: string } = JSON.parse(
    await readFile(join(folder, 'package.json'), 'utf8'),
  );
  const path = join(folder, 'released', 'surface.json');
  const text = await readFile(path, 'utf8').catch((error: NodeJS.ErrnoException) => {
    if (error.code === 'ENOENT') return undefined;
    throw error;
  });
  const released: Released = text === undefined ? { version, surface: {} } : JSON.parse(text);
  const breaks = majorOf(version) > majorOf(released.version) ? [] : surfaceBreaks(released.surface, surface);
  if (breaks.length > 0) {
    process.stderr.write(
      `${breaks.join('\n')}\nWhat breaks ${name} ${released.version} needs a new major version in its package.json.\n`,
    );
    process.exitCode = 1;
  } else if (process.argv.includes('--release')) {
    await mkdir(join(folder, 'released'), { recursive: true });
    await writeFile(path, surfaceText(version, surface));
    process.stdout.write(`What people rely on in ${name} ${version} is kept; commit it with the release.\n`);
  } else if (text === undefined) {
    process.stderr.write(`${path} is missing: it holds what people rely on since the last release.\n`);
    process.exitCode = 1;
  } else {
    process.stdout.write(`${name} adds to ${released.version}, and takes nothing away.\n`);
  }
}

const majorOf = (version: string): number => Number(version.split('.')[0]);
