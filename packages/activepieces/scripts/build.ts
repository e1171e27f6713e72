// Makes dealkeep-piece-dealkeep-VERSION.tgz, what the platform installs: checked, linted, in one file.
import { cp, mkdir, readFile, rm, stat, writeFile } from 'node:fs/promises';
import { createRequire } from 'node:module';
import { join } from 'node:path';
import { run } from '@dealkeep/tooling';
import manifest from '../package.json' with { type: 'json' };
import { bundle } from './bundle.ts';
import { checkPiece } from './check-types.ts';
import { lint } from './lint.ts';
import { tarballPath } from './tarball-path.ts';
import { textsOf } from './texts.ts';
import { installTooling, packageFolder } from './tooling.ts';

/** Bytes. The platform warns of pieces that are larger, and refuses those of 5 MB. */
const largestBundle = 3 * 1024 * 1024;

const tooling = await installTooling();
await checkPiece(tooling);
await lint(tooling);

const dist = join(packageFolder, 'dist');
const file = join(dist, 'src', 'index.js');
await rm(dist, { recursive: true, force: true });
await bundle(tooling, file);
const { size } = await stat(file);
if (size > largestBundle) throw new Error(`The piece has ${size} bytes, more than ${largestBundle}.`);

const { name, version, description, license, author, homepage, bugs, repository } = manifest;
await writeJson(join(dist, 'package.json'), {
  name,
  version,
  description,
  license,
  author,
  homepage,
  bugs,
  // npm takes a statement of provenance only with the repository in which it was built.
  repository,
  publishConfig: { access: 'public' },
  // Older engines look for the piece here, whatever the manifest says.
  main: './src/index.js',
  files: ['src', 'README.md'],
});
const piece: unknown = createRequire(file)(file);
const metadata: unknown = Reflect.get(Object(Reflect.get(Object(piece), 'dealkeep')), 'metadata').call(
  Reflect.get(Object(piece), 'dealkeep'),
);
await mkdir(join(dist, 'src', 'i18n'), { recursive: true });
await writeJson(join(dist, 'src', 'i18n', 'translation.json'), textsOf(metadata));
await cp(join(packageFolder, 'README.md'), join(dist, 'README.md'));
await cp(join(packageFolder, '..', '..', 'LICENSE'), join(dist, 'LICENSE'));

await run('npm', ['pack', '--ignore-scripts', '--loglevel=error', '--pack-destination', packageFolder], dist);
const packed = (await readFile(tarballPath)).byteLength;
process.stderr.write(
  `${tarballPath}: ${Math.ceil(packed / 1000)} kB, ${Math.ceil(size / 1000)} kB unpacked\n`,
);

function writeJson(path: string, value: unknown): Promise<void> {
  return writeFile(path, `${JSON.stringify(value, null, 2)}\n`);
}
