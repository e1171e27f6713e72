// Builds build/build.zip, what Zapier takes: `npm run build`, or `npm run build -- --auth api_key` for the private
// variant. `--archive FOLDER` also writes dealkeep-zapier-VERSION.tar.gz there, which holds all that is needed to
// upload it.
import { copyFile, mkdir, mkdtemp, rm, stat, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join, resolve } from 'node:path';
import { parseArgs } from 'node:util';
import { run } from '@dealkeep/tooling';
import manifest from '../package.json' with { type: 'json' };
import { checkZip } from './check-zip.ts';
import { runCommandLine } from './run-command-line.ts';
import { stage, variantNamed } from './stage.ts';

const { values } = parseArgs({
  options: {
    auth: { type: 'string', default: 'oauth2' },
    into: { type: 'string', default: '.' },
    archive: { type: 'string' },
  },
});
/** Where the platform's command line looks for it; `--into` names a folder inside, to keep one beside another. */
const buildFolder = join(import.meta.dirname, '..', 'build', values.into);

const folder = await stage(variantNamed(values.auth));

/**
 * Zapier's command line gives what it has built five seconds to load; a machine with other work may need another
 * try.
 */
async function buildPatiently(tries = 3): Promise<void> {
  try {
    await runCommandLine(['build', '--skip-dep-install', '--skip-validation'], folder);
  } catch (error) {
    if (tries === 1) throw error;
    await buildPatiently(tries - 1);
  }
}

try {
  await buildPatiently();
  await mkdir(buildFolder, { recursive: true });
  for (const name of ['build.zip', 'source.zip']) {
    await copyFile(join(folder, 'build', name), join(buildFolder, name));
  }
} finally {
  await rm(folder, { recursive: true, force: true });
}

const zip = join(buildFolder, 'build.zip');
const problems = await checkZip(zip);
if (problems.length > 0) throw new Error(`${zip} is not fit to be uploaded:\n${problems.join('\n')}`);
console.log(`${zip}: ${Math.ceil((await stat(zip)).size / 1000)} kB, ${values.auth}`);
if (values.archive !== undefined) await writeArchive(resolve(values.archive));

/** A folder as `zapier-platform upload` expects it, with the description that `register` asks for. */
async function writeArchive(target: string): Promise<void> {
  const { name, version, description } = manifest;
  const place = await mkdtemp(join(tmpdir(), 'dealkeep-zapier-'));
  try {
    await mkdir(join(place, 'build'));
    for (const each of ['build.zip', 'source.zip'])
      await copyFile(join(buildFolder, each), join(place, 'build', each));
    const manifestOfArchive = { name, version, private: true, description };
    await writeFile(join(place, 'package.json'), `${JSON.stringify(manifestOfArchive, undefined, 2)}\n`);
    const archive = join(target, `dealkeep-zapier-${version}.tar.gz`);
    await run('tar', ['-czf', archive, '-C', place, 'package.json', 'build'], target);
  } finally {
    await rm(place, { recursive: true, force: true });
  }
}
