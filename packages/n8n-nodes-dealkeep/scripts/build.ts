// Makes n8n-nodes-dealkeep-VERSION.tgz: checked against the contract, linted and built by n8n's own tools, scanned.
import { cp, mkdir, readFile, rm, symlink } from 'node:fs/promises';
import { basename, join } from 'node:path';
import { run } from '@dealkeep/tooling';
import { bundle } from './bundle.ts';
import { checkRequires } from './check-requires.ts';
import { checkNodes } from './check-types.ts';
import { installLintTooling } from './install-lint-tooling.ts';
import { runOfficialTool } from './official-tool.ts';
import { scanPackage, sourcePatterns, tarballPatterns } from './scan-package.ts';
import { packageFolder, removeTarballs, tarballPath } from './tarball-path.ts';

/** What belongs to the published package's source; scripts and tests do not, and may use what nodes may not. */
const sources = [
  'credentials',
  'icons',
  'nodes',
  'CHANGELOG.md',
  'LICENSE.md',
  'README.md',
  'eslint.config.mjs',
  'package.json',
  'tsconfig.json',
];

/** Bytes. Everybody who installs the package in n8n's panel waits for it. */
const largestTarball = 60_000;

const tooling = await installLintTooling();
await run(process.execPath, ['scripts/generate.ts', '--check'], packageFolder);
await checkNodes(tooling);

const build = join(packageFolder, 'build');
const source = join(build, 'source');
await rm(build, { recursive: true, force: true });
await mkdir(source, { recursive: true });
for (const each of sources) await cp(join(packageFolder, each), join(source, each), { recursive: true });
await symlink(join(tooling, 'node_modules'), join(source, 'node_modules'), 'dir');

await runOfficialTool(tooling, 'lint', source);
await runOfficialTool(tooling, 'build', source);
await bundle(source, join(source, 'dist'));
await checkRequires(join(source, 'dist'));

await rm(join(packageFolder, 'dist'), { recursive: true, force: true });
await cp(join(source, 'dist'), join(packageFolder, 'dist'), { recursive: true });
await removeTarballs(packageFolder);
await run('npm', ['pack', '--ignore-scripts', '--loglevel=error'], packageFolder);

const unpacked = join(build, 'unpacked');
await mkdir(unpacked);
await run('tar', ['-xzf', await tarballPath(), '-C', unpacked, '--strip-components=1'], packageFolder);
await scanPackage(tooling, source, sourcePatterns);
await scanPackage(tooling, unpacked, tarballPatterns);

const size = (await readFile(await tarballPath())).byteLength;
if (size > largestTarball) throw new Error(`The package has ${size} bytes, more than ${largestTarball}`);
process.stderr.write(`${basename(await tarballPath())}: ${Math.ceil(size / 1000)} kB, no finding\n`);
