// `npm run release:published`: whether docs/releases.md says of names on npm what npm says. With names, those have
// to be said to be published: a tag is about to publish them, with the documents that say so.
import assert from 'node:assert/strict';
import { differencesOnNpm, readPublications } from './publications.ts';

const publications = await readPublications();
for (const name of process.argv.slice(2)) {
  const { state } = publications.find((publication) => publication.name === name) ?? {};
  assert.equal(
    state,
    'yes',
    `docs/releases.md, "What is published", says "yes" of ${name} once it is released`,
  );
}
assert.deepEqual(await differencesOnNpm(publications), [], 'The documents differ from npm');
process.stdout.write('docs/releases.md says what npm says.\n');
