// Makes n8n-nodes-dealkeep-VERSION.tgz: checked against the contract, linted and built by n8n's own tools, scanned.
// With
// --quick the same package without n8n's tools, which weigh some 600 MB, for whoever only wants to install it.
import { cp, mkdir, readdir, readFile, rm, symlink, writeFile } from 'node:fs/promises';
import { basename, join } from 'node:path';
import { parseArgs } from 'node:util';
import { run } from '@dealkeep/tooling';
import manifest from '../package.json' with { type: 'json' };
import { assemble } from './assemble.ts';
import { checkNodes } from './check-types.ts';
import { installLintTooling } from './install-lint-tooling.ts';
import { runOfficialTool } from './official-tool.ts';
import { publishedManifest } from './published-manifest.ts';
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

/**
 * Bytes (decision 68): n8n asks for no limit, but everybody who installs the package in n8n's panel waits for it.
 */
const largestTarball = 65_536;

/** What is published beside the code. */
const documents = ['CHANGELOG.md', 'LICENSE.md', 'README.md'];

const dist = join(packageFolder, 'dist');
const build = join(packageFolder, 'build');
const source = join(build, 'source');

const { values } = parseArgs({ options: { quick: { type: 'boolean', default: false } } });
await run('npm', ['run', '--silent', 'check:generated'], packageFolder);
if (values.quick) {
  await assemble(packageFolder, dist);
  await pack();
  process.stderr.write(`${basename(await tarballPath())}, neither linted nor scanned\n`);
} else {
  await buildChecked(await installLintTooling());
}

async function buildChecked(tooling: string): Promise<void> {
  await checkNodes(tooling);
  await rm(build, { recursive: true, force: true });
  await mkdir(source, { recursive: true });
  for (const each of sources) await cp(join(packageFolder, each), join(source, each), { recursive: true });
  await symlink(join(tooling, 'node_modules'), join(source, 'node_modules'), 'dir');

  await runOfficialTool(tooling, 'lint', source);
  await runOfficialTool(tooling, 'build', source);
  await assemble(source, dist);
  await requireSameFiles(join(source, 'dist'), dist);
  await pack();

  const unpacked = join(build, 'unpacked');
  await mkdir(unpacked);
  await run('tar', ['-xzf', await tarballPath(), '-C', unpacked, '--strip-components=1'], packageFolder);
  await scanPackage(tooling, source, sourcePatterns);
  await scanPackage(tooling, unpacked, tarballPatterns);

  const size = (await readFile(await tarballPath())).byteLength;
  if (size > largestTarball) throw new Error(`The package has ${size} bytes, more than ${largestTarball}`);
  process.stderr.write(`${basename(await tarballPath())}: ${Math.ceil(size / 1000)} kB, no finding\n`);
}

async function pack(): Promise<void> {
  await removeTarballs(packageFolder);
  const published = join(build, 'published');
  await rm(published, { recursive: true, force: true });
  await cp(dist, join(published, 'dist'), { recursive: true });
  for (const each of documents) await cp(join(packageFolder, each), join(published, each));
  await writeFile(
    join(published, 'package.json'),
    `${JSON.stringify(publishedManifest(manifest), undefined, 2)}\n`,
  );
  const pack = ['pack', '--ignore-scripts', '--loglevel=error', '--pack-destination', packageFolder];
  await run('npm', pack, published);
}

/** What n8n's tool leaves beside the compiled code has to be in the package, and nothing else. */
async function requireSameFiles(official: string, ours: string): Promise<void> {
  const filesOf = async (folder: string): Promise<string[]> =>
    (await readdir(folder, { recursive: true, withFileTypes: true }))
      .filter((entry) => entry.isFile() && !/\.(js|d\.ts|js\.map|tsbuildinfo)$/.test(entry.name))
      .map((entry) => join(entry.parentPath, entry.name).slice(folder.length))
      .sort();
  const [expected, found] = [await filesOf(official), await filesOf(ours)];
  const differing = [
    ...expected.filter((name) => !found.includes(name)),
    ...found.filter((name) => !expected.includes(name)),
  ];
  if (differing.length > 0) {
    throw new Error(`n8n's tool and scripts/assemble.ts differ in ${differing.join(', ')}`);
  }
}
