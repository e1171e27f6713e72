// Builds build/build.zip, what Zapier takes: `npm run build`, or `npm run build -- --auth api_key` for the private variant.
import { copyFile, mkdir, rm, stat } from 'node:fs/promises';
import { join } from 'node:path';
import { parseArgs } from 'node:util';
import { checkZip } from './check-zip.ts';
import { runCommandLine } from './run-command-line.ts';
import { stage, variantNamed } from './stage.ts';

const { values } = parseArgs({
  options: { auth: { type: 'string', default: 'oauth2' }, into: { type: 'string', default: '.' } },
});
/** Where the platform's command line looks for it; `--into` names a folder inside, to keep one beside another. */
const buildFolder = join(import.meta.dirname, '..', 'build', values.into);

const folder = await stage(variantNamed(values.auth));

/** Zapier's command line gives what it has built five seconds to load; a machine with other work may need another try. */
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
