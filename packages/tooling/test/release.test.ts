import { mkdir, mkdtemp, readFile, rm, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { expect, onTestFinished, test } from 'vitest';
import { notesOf, released, versionsOf } from '../src/release/changelog.ts';
import { checkTag } from '../src/release/check-tag.ts';
import {
  manifestPaths,
  platformVersions,
  productVersion,
  readManifest,
  repository,
} from '../src/release/product.ts';
import { lockWithVersion, withImageVersion, withVersion } from '../src/release/version-texts.ts';

const manifests = manifestPaths().map(readManifest);

test('all packages have the version of the product, but those whose platform reads something into it', () => {
  expect(manifests.length).toBeGreaterThan(15);
  const own = manifests.filter(({ name }) => platformVersions.has(name));
  expect(own).toHaveLength(platformVersions.size);
  for (const { name, version } of manifests) {
    if (!platformVersions.has(name)) expect(version, name).toBe(productVersion());
  }
});

test('another version is written wherever a package or the lock file names it, and nowhere else', () => {
  const zapier = withVersion(
    {
      name: '@dealkeep/zapier',
      version: '2.0.0',
      dependencies: { '@dealkeep/contract': '0.1.0', zod: '4.6.7' },
    },
    '@dealkeep/zapier',
    '0.2.0',
  );
  expect(zapier).toEqual({
    name: '@dealkeep/zapier',
    version: '2.0.0',
    dependencies: { '@dealkeep/contract': '0.2.0', zod: '4.6.7' },
  });
  const lock = lockWithVersion(
    {
      version: '0.1.0',
      packages: {
        '': { name: 'dealkeep', version: '0.1.0' },
        'packages/core': {
          name: '@dealkeep/core',
          version: '0.1.0',
          dependencies: { '@dealkeep/contract': '0.1.0' },
        },
        'packages/n8n-nodes-dealkeep': { version: '0.1.0', devDependencies: { '@dealkeep/core': '0.1.0' } },
        'node_modules/zod': { version: '0.1.0' },
        'node_modules/@dealkeep/core': {},
      },
    },
    '0.2.0',
  );
  expect(lock).toEqual({
    version: '0.2.0',
    packages: {
      '': { name: 'dealkeep', version: '0.2.0' },
      'packages/core': {
        name: '@dealkeep/core',
        version: '0.2.0',
        dependencies: { '@dealkeep/contract': '0.2.0' },
      },
      'packages/n8n-nodes-dealkeep': { version: '0.1.0', devDependencies: { '@dealkeep/core': '0.2.0' } },
      'node_modules/zod': { version: '0.1.0' },
      'node_modules/@dealkeep/core': {},
    },
  });
});

test('the lock file of this repository stays as npm writes it', async () => {
  const text = await readFile(join(repository, 'package-lock.json'), 'utf8');
  expect(`${JSON.stringify(lockWithVersion(JSON.parse(text), productVersion()), null, 2)}\n`).toBe(text);
});

test('the image of the composition follows the version', async () => {
  const composition = await readFile(join(repository, 'docker-compose.yml'), 'utf8');
  expect(withImageVersion(composition, productVersion())).toBe(composition);
  expect(withImageVersion(composition, '9.9.9')).toMatch(/dealkeep:\$\{DEALKEEP_VERSION:-9\.9\.9\}$/m);
});

test('the notes of a version are its part of the changelog', () => {
  const changelog =
    '# Changelog\n\n## Unreleased\n\n- New.\n\n## 0.1.0 (2026-01-31)\n\n### Console\n\n- Old.\n';
  expect(notesOf(changelog, '0.1.0')).toBe('### Console\n\n- Old.');
  expect(notesOf(changelog, '0.1')).toBeUndefined();
  const next = released(changelog, '0.2.0', '2026-02-28');
  expect(next).toContain('## Unreleased\n\n## 0.2.0 (2026-02-28)\n\n- New.\n\n## 0.1.0');
  expect(versionsOf(next)).toEqual(['0.2.0', '0.1.0']);
  expect(() => released(next, '0.3.0', '2026-03-31')).toThrow('says nothing under "## Unreleased"');
});

test('a version is tagged when its notes, its schema and a database of it are kept', async () => {
  const folder = await mkdtemp(join(tmpdir(), 'dealkeep-tag-'));
  onTestFinished(() => rm(folder, { recursive: true, force: true }));
  const write = async (path: string, text: string): Promise<void> => {
    await mkdir(join(folder, path, '..'), { recursive: true });
    await writeFile(join(folder, path), text);
  };
  const refused = (sentence: string) => expect(checkTag('v0.2.0', folder)).rejects.toThrow(sentence);
  await write('package.json', '{ "version": "0.2.0" }');
  await write('CHANGELOG.md', '# Changelog\n\n## Unreleased\n\n- New.\n');
  await refused('CHANGELOG.md has a part "## 0.2.0"');
  await write('CHANGELOG.md', '# Changelog\n\n## Unreleased\n\n## 0.2.0 (2026-02-28)\n\n- New.\n');
  await write('packages/core/migrations/0060-last.sql', '');
  await write('packages/core/baseline.sql', '-- Stands for the migrations up to 0059-one.sql, and …\n');
  const table = (state: string) =>
    `## What is published\n\n| Where | Name | What | Published |\n| - | - | - | - |\n| npm | \`@dealkeep/client\` | it | ${state} |\n| npm | \`n8n-nodes-dealkeep\` | it | not yet |\n\n`;
  await write('docs/releases.md', table('not yet'));
  await refused('says "yes" of @dealkeep/client once it is released');
  await write('docs/releases.md', table('yes'));
  await refused('`npm run baseline` has been run since the last migration');
  await write('packages/core/baseline.sql', '-- Stands for the migrations up to 0060-last.sql, and …\n');
  await refused('apps/dealkeep/test/released/0.2.0.backup is missing: docs/releases.md, step 2');
  await write('apps/dealkeep/test/released/0.2.0.backup', '');
  await checkTag('v0.2.0', folder);
  await expect(checkTag('v0.3.0', folder)).rejects.toThrow('The tag is the version in package.json');
});
