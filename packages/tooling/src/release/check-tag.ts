import assert from 'node:assert/strict';
import { existsSync } from 'node:fs';
import { readdir, readFile } from 'node:fs/promises';
import { join } from 'node:path';
import { notesOf } from './changelog.ts';
import { platformVersions, repository } from './product.ts';
import { readPublications } from './publications.ts';

/** What must be committed before a version is tagged (docs/releases.md); the error says what is not. */
export async function checkTag(tag: string, folder: string = repository): Promise<void> {
  const read = (...path: string[]): Promise<string> => readFile(join(folder, ...path), 'utf8');
  const { version } = JSON.parse(await read('package.json'));
  assert.equal(tag, `v${version}`, 'The tag is the version in package.json');
  assert(notesOf(await read('CHANGELOG.md'), version), `CHANGELOG.md has a part "## ${version}"`);
  for (const { name, state } of await readPublications(folder)) {
    // Zapier's directory and the packages of platforms have tags of their own.
    if (state !== 'not yet' || platformVersions.has(name) || name.startsWith('Zapier')) continue;
    assert.fail(`docs/releases.md, "What is published", says "yes" of ${name} once it is released`);
  }
  const last = (await readdir(join(folder, 'packages', 'core', 'migrations'))).sort().at(-1);
  const baseline = await read('packages', 'core', 'baseline.sql');
  assert(baseline.includes(` up to ${last},`), '`npm run baseline` has been run since the last migration');
  const kept = `apps/dealkeep/test/released/${version}.backup`;
  assert(
    existsSync(join(folder, kept)),
    `${kept} is missing: docs/releases.md, step 2 says how it is written`,
  );
}
