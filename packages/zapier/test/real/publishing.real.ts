import { execFile } from 'node:child_process';
import { mkdir, mkdtemp, readFile, rm, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { promisify } from 'node:util';
import { afterAll, describe, expect, test } from 'vitest';
import { commandLineFolder, node22, openZip } from '../../bin/zapier-tooling.ts';
import manifest from '../../package.json' with { type: 'json' };
import { declared, publishingCommands } from '../documented/publishing-commands.ts';
import { startStandInForZapier } from '../platform/stand-in-for-zapier.ts';

const commands = await publishingCommands();
const packageFolder = join(import.meta.dirname, '..', '..');
const zapier = await startStandInForZapier();
const folder = await mkdtemp(join(tmpdir(), 'dealkeep-publishing-'));
const linked = join(folder, '.zapierapprc');
await writeFile(linked, JSON.stringify({ id: 1, key: 'App1' }));

afterAll(async () => {
  await zapier.close();
  await rm(folder, { recursive: true, force: true });
});

/** What each page's way of uploading has sent. */
const uploads = () =>
  zapier.changes.filter(({ what }) => what === `PUT /apps/1/versions/${manifest.version}`);

test('the commands to publish are told', () => {
  const told = new Set(commands.map(({ name }) => name));
  const needed = ['login', 'register', 'upload', 'env:set', 'env:get', 'promote', 'migrate', 'deprecate'];
  expect([...told]).toEqual(expect.arrayContaining([...needed, 'versions', 'users:links', 'team:add']));
});

test.each(commands)('$page: zapier-platform $name $rest is a command of Zapier', async ({ name, rest }) => {
  const { flags, args = {}, strict } = await declared(name);
  const words = rest.match(/(?:"[^"]*"|\$\([^)]*\)|[^\s"])+/g) ?? [];
  for (const [, flag = ''] of rest.matchAll(/(?<=^|\s)--([a-z-]+)/g)) {
    expect([...Object.keys(flags), 'no-subscribe'], `--${flag} of ${name}`).toContain(flag);
  }
  const valued = words.filter((word, at) => !word.startsWith('--') && !words[at - 1]?.startsWith('--'));
  const required = Object.values(args).filter((argument) => argument.required).length;
  expect(valued.length).toBeGreaterThanOrEqual(required);
  if (strict !== false) expect(valued.length).toBeLessThanOrEqual(Object.keys(args).length);
});

const run = promisify(execFile);
/** Commands that ask nothing else than to be sure, which `--yes` is. */
const silent = ['upload', 'env:set', 'env:get', 'versions', 'jobs', 'history', 'logs', 'users:links'];
const assured = ['promote', 'migrate'];
const runnable = [...silent, ...assured].map((name) => {
  const told = commands.find((each) => each.page === 'docs/publishing-zapier.md' && each.name === name);
  return `zapier-platform ${name} ${told?.rest}${assured.includes(name) ? ' --yes' : ''}`;
});

describe('run as the page tells them, in this package', async () => {
  const entry = join(await commandLineFolder(), 'node_modules', 'zapier-platform-cli', 'src', 'bin', 'run');
  const program = join(folder, 'zapier-platform');
  await writeFile(program, `#!/bin/sh\nexec "${await node22()}" "${entry}" "$@"\n`, { mode: 0o755 });
  const env = {
    PATH: `${folder}:${process.env['PATH']}`,
    HOME: folder,
    ZAPIER_BASE_ENDPOINT: zapier.origin,
    ZAPIER_DEPLOY_KEY: 'none',
    ZAPIER_CURRENT_APP_FILE: linked,
    DISABLE_ZAPIER_ANALYTICS: '1',
    NO_UPDATE_NOTIFIER: '1',
    CLIENT_ID: 'dkapp_1',
    CLIENT_SECRET: 's',
  };
  test.each(runnable)('%s', async (line) => {
    await run('sh', ['-ec', line], { cwd: packageFolder, env });
  });

  test('they upload the zip that was built, set the environment, promote with the changelog, and migrate', async () => {
    const change = (what: string) =>
      zapier.changes.filter((each) => each.what === what).map(({ body }) => body);
    const [{ body: uploaded } = { body: undefined }] = uploads();
    const zip = join(folder, 'uploaded.zip');
    await writeFile(zip, String(uploaded?.['zip_file']), 'base64');
    const names = (await openZip(zip)).getEntries().map(({ entryName }) => entryName);
    expect(names).toEqual(expect.arrayContaining(['definition.json', 'integration.js']));
    expect(change('POST /apps/1/versions/2.0.0/multi-environment')).toEqual([
      { BASE_URL: 'https://crm.example.com/api/v1/public', CLIENT_ID: 'dkapp_1', CLIENT_SECRET: 's' },
    ]);
    const jobs = change('POST /apps/1/migrations').map(({ job }) => Object(job));
    expect(jobs).toContainEqual(
      expect.objectContaining({
        name: 'promote',
        to_version: '2.0.0',
        changelog: expect.stringMatching(/trigger/i),
      }),
    );
    expect(jobs).toContainEqual(
      expect.objectContaining({ name: 'migrate', from_version: '2.0.0', to_version: '2.1.0' }),
    );
  });

  test('a release uploads the same as the command line, and needs nothing that is fetched', async () => {
    const before = uploads();
    expect(before).toHaveLength(1);
    await release({ ZAPIER_DEPLOY_KEY: 'none', ZAPIER_APP_ID: '1', GITHUB_REF_NAME: tag });
    expect(uploads()).toHaveLength(2);
    expect(uploads()[1]).toEqual(before[0]);
    const source = await readFile(join(packageFolder, 'bin', 'upload.ts'), 'utf8');
    const imported = [...source.matchAll(/from '(.+)'/g)].map(([, from]) => from);
    expect(imported.filter((from) => !from?.startsWith('node:'))).toEqual([]);
  });

  test('the file of a release is uploaded by the lines of the page, in a folder that holds nothing else', async () => {
    const page = await readFile(join(packageFolder, '..', '..', 'docs', 'publishing-zapier.md'), 'utf8');
    const [, unpack = ''] = /^(mkdir dealkeep-zapier && .+)$/m.exec(page) ?? [];
    const downloads = join(folder, 'downloads');
    await mkdir(downloads);
    const file = `dealkeep-zapier-${manifest.version}.tar.gz`;
    await run('cp', [join(packageFolder, 'build', file), downloads]);
    const lines = [unpack, 'node -p "require(\'./package.json\').description"', 'zapier-platform upload'];
    const { stdout } = await run('sh', ['-ec', lines.join('\n')], { cwd: downloads, env });
    expect(stdout).toContain(manifest.description);
    const zip = join(folder, 'private.zip');
    await writeFile(zip, String(uploads().at(-1)?.body?.['zip_file']), 'base64');
    const unpacked = join(folder, 'private');
    (await openZip(zip)).extractAllTo(unpacked);
    const definition = await readFile(join(unpacked, 'definition.json'), 'utf8');
    expect(JSON.parse(definition)).toMatchObject({ authentication: { type: 'custom' } });
  });

  test('a release that lacks something says what, and what Zapier refuses is told without the key', async () => {
    const said = (variables: Record<string, string>) =>
      release({ ZAPIER_DEPLOY_KEY: 'a-secret', ZAPIER_APP_ID: '1', GITHUB_REF_NAME: tag, ...variables }).then(
        () => '',
        ({ stderr }: { stderr: string }) => stderr,
      );
    expect(await said({ ZAPIER_DEPLOY_KEY: '' })).toBe('ZAPIER_DEPLOY_KEY is not set.\n');
    expect(await said({ GITHUB_REF_NAME: 'main' })).toBe(
      'GITHUB_REF_NAME takes a tag such as zapier-v1.0.0, not main.\n',
    );
    const nowhere = await said({ ZAPIER_BASE_ENDPOINT: `${zapier.origin}/refuses` });
    expect(nowhere).toMatch(/^Zapier answered 403: .*Not yours/);
    expect(nowhere).not.toContain('a-secret');
  });
});

const tag = `zapier-v${manifest.version}`;

/** What the workflow does with the build: `packages/zapier/bin/upload.ts`. */
const release = (variables: Record<string, string>) =>
  run(process.execPath, [join(packageFolder, 'bin', 'upload.ts'), join(packageFolder, 'build')], {
    cwd: folder,
    env: { PATH: process.env['PATH'], ZAPIER_BASE_ENDPOINT: zapier.origin, ...variables },
  });
