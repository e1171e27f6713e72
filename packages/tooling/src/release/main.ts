// `npm run release`: makes everything that a release publishes in build/release, and tries it. It uploads nothing;
// that does .github/workflows/release.yml, with what this has left there.
import assert from 'node:assert/strict';
import { execFileSync } from 'node:child_process';
import { createHash } from 'node:crypto';
import { cp, mkdir, mkdtemp, readdir, readFile, rm, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { parseArgs } from 'node:util';
import { withoutNpm } from '../without-npm.ts';
import { makeArchive } from './archive.ts';
import { notesOf } from './changelog.ts';
import { checkTag } from './check-tag.ts';
import { productVersion, repository } from './product.ts';
import { differencesOnNpm, readPublications } from './publications.ts';
import { withRunningArchive } from './running-archive.ts';
import { writeSoftwareBill } from './software-bill.ts';

const say = (sentence: string): unknown => process.stdout.write(`ok  ${sentence}\n`);

const { values } = parseArgs({ options: { tag: { type: 'string' } } });
const version = productVersion();
const name = `dealkeep-${version}`;
const target = join(repository, 'build', 'release');
const started = Date.now();

if (values.tag !== undefined) await checkTag(values.tag);
const changelog = await readFile(join(repository, 'CHANGELOG.md'), 'utf8');
const notes = notesOf(changelog, version) ?? notesOf(changelog, 'Unreleased');
assert(notes, 'CHANGELOG.md says what this release changes');

const publications = await readPublications();
assert.deepEqual(await differencesOnNpm(publications), [], 'The documents differ from npm');
say('docs/releases.md says of names on npm what npm says');

await rm(target, { recursive: true, force: true });
await mkdir(target, { recursive: true });
await writeFile(join(target, 'notes.md'), `${notes}\n`);

const folder = await mkdtemp(join(tmpdir(), 'dealkeep-release-'));
try {
  const archive = makeArchive(name, target);
  const application = await unpack(archive, 'archive');
  command('npm', ['ci', '--omit=dev'], application);
  const bill = join(target, `${name}.cdx.json`);
  const packages = await writeSoftwareBill(application, ['--omit', 'dev'], bill);
  say(`${name}.tar.gz is installed in an empty folder; its bill names ${packages} packages`);

  await packClient();
  await packPiece();
  const customer = join(folder, 'customer');
  await mkdir(customer);
  await writeFile(join(customer, 'package.json'), '{ "private": true, "type": "module" }\n');
  const tarballs = (await readdir(target)).filter((file) => file.endsWith('.tgz'));
  command('npm', ['install', '--ignore-scripts', ...tarballs.map((file) => join(target, file))], customer);

  await withRunningArchive(application, async ({ origin, key }) => {
    const headers = { authorization: `Bearer ${key}` };
    const answer = await fetch(`${origin}/api/v1/public/me`, { headers });
    assert.equal(answer.status, 200, await answer.text());
    say('npm start answers GET /me');
    await askByClient(customer, origin, key);
    say('the packed client, installed elsewhere, creates a lead and finds it');
  });
  say('Ctrl-C ends it');

  await writeImageBill(archive);
  await packNode();
  command(
    'npm',
    ['run', 'build:zapier', '--', '--auth', 'api_key', '--into', 'release', '--archive', target],
    repository,
  );
  say('the n8n node and the private Zapier integration are packed, to be installed by hand');
  await writeChecksums();
} finally {
  await rm(folder, { recursive: true, force: true });
}

const made = await readdir(target);
const onNpm = made.filter((file) => file.endsWith('.tgz') && !file.startsWith('n8n-nodes-'));
process.stdout.write(`
Made and tried in ${Math.round((Date.now() - started) / 1000)} s, in build/release. The tag v${version} publishes:
  GitHub   ${made.filter((file) => !onNpm.includes(file)).join(', ')}
  npm      ${onNpm.join(', ')}
  ghcr.io  dealkeep/dealkeep:${version} for linux/amd64 and linux/arm64, built from ${name}.tar.gz
Nothing was uploaded.
`);

async function unpack(archive: string, into: string): Promise<string> {
  const place = join(folder, into);
  await mkdir(place);
  command('tar', ['-xzf', archive, '-C', place], folder);
  return join(place, name);
}

async function packClient(): Promise<void> {
  command('npm', ['run', 'build', '--workspace', '@dealkeep/client'], repository);
  const built = join(repository, 'packages', 'client', 'dist');
  command('npm', ['pack', '--ignore-scripts', '--pack-destination', target], built);
}

async function packPiece(): Promise<void> {
  command('npm', ['run', 'build:activepieces'], repository);
  const tarball = `dealkeep-piece-dealkeep-${version}.tgz`;
  await cp(join(repository, 'packages', 'activepieces', tarball), join(target, tarball));
}

/** For GitHub's page alone: npm gets it under a tag of its own, which has it checked by n8n's tools. */
async function packNode(): Promise<void> {
  command('npm', ['run', 'build:n8n', '--', '--quick'], repository);
  const packed = join(repository, 'packages', 'n8n-nodes-dealkeep');
  for (const tarball of (await readdir(packed)).filter((file) => file.endsWith('.tgz')))
    await cp(join(packed, tarball), join(target, tarball));
}

async function askByClient(customer: string, origin: string, key: string): Promise<void> {
  await writeFile(
    join(customer, 'ask.js'),
    `import { createClient } from '@dealkeep/client';
const [origin, apiKey] = process.argv.slice(2);
const dealkeep = createClient({ baseUrl: \`\${origin}/api/v1/public\`, apiKey });
const lead = await dealkeep.leads.create({ name: 'From the release' });
const found = await dealkeep.leads.get(lead.id);
if (found.name !== 'From the release') process.exit(1);
`,
  );
  command(process.execPath, ['ask.js', origin, key], customer);
}

/** Of what the Dockerfile installs; Debian's packages are those of the base image, named by its digest. */
async function writeImageBill(archive: string): Promise<void> {
  const application = await unpack(archive, 'image');
  const dockerfile = await readFile(join(application, 'Dockerfile'), 'utf8');
  const [, install] = /^RUN (npm ci .+) && npm cache clean --force$/m.exec(dockerfile) ?? [];
  assert(install, 'The Dockerfile installs by npm ci');
  command('sh', ['-c', install], application);
  const which = ['--omit', 'dev', '--omit', 'optional', '--workspace', 'apps/dealkeep'];
  const file = join(target, `${name}-image.cdx.json`);
  say(`the image's bill names ${await writeSoftwareBill(application, which, file)} packages`);
}

async function writeChecksums(): Promise<void> {
  const lines: string[] = [];
  for (const file of (await readdir(target)).sort()) {
    if (file === 'notes.md') continue;
    const digest = createHash('sha256').update(await readFile(join(target, file)));
    lines.push(`${digest.digest('hex')}  ${file}\n`);
  }
  await writeFile(join(target, 'SHA256SUMS'), lines.join(''));
}

function command(program: string, args: readonly string[], cwd: string): void {
  const env = { ...withoutNpm(process.env), npm_config_loglevel: 'error' };
  execFileSync(program, args, { cwd, stdio: ['ignore', 2, 2], env });
}
