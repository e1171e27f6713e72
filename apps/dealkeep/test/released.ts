import { readdir, readFile } from 'node:fs/promises';
import { join } from 'node:path';
import { notesOf, versionsOf } from '@dealkeep/tooling';

export const releasedFolder = join(import.meta.dirname, 'released');

export const repository = join(import.meta.dirname, '..', '..', '..');

/** The name of a backup: of a release, or of what ran before it. */
const named = /^(before-)?(\d+)\.(\d+)\.(\d+)\.backup$/;

/** The backups that stand in the tests, in the order of their versions. */
export const releasedBackups = async (): Promise<string[]> => inOrder(await readdir(releasedFolder));

/**
 * What this checkout is: its version, whether something came after its release, and which versions were released.
 */
export async function readCheckout() {
  const { version }: { version: string } = JSON.parse(
    await readFile(join(repository, 'package.json'), 'utf8'),
  );
  const changelog = await readFile(join(repository, 'CHANGELOG.md'), 'utf8');
  return { version, goesOn: Boolean(notesOf(changelog, 'Unreleased')), released: versionsOf(changelog) };
}

/**
 * The newest version of which there is a backup, such as `0.1.0` or `before-0.1.0`, that is older than the checkout.
 * Its own is so as soon as the changelog has something that came after it.
 */
export const newestOlder = (
  backups: readonly string[],
  checkout: { readonly version: string; readonly goesOn: boolean },
): string | undefined =>
  inOrder(backups)
    .map((name) => name.replace('.backup', ''))
    .findLast((version) => version !== checkout.version || checkout.goesOn);

function inOrder(names: readonly string[]): string[] {
  const placed = names.map((name) => {
    const [, before, ...numbers] = named.exec(name) ?? [];
    if (numbers.length === 0) throw new Error(`released/${name} is named by no version, as X.Y.Z.backup is`);
    return { name, place: [...numbers.map(Number), before ? 0 : 1] };
  });
  placed.sort((a, b) => {
    const at = a.place.findIndex((number, index) => number !== b.place[index]);
    return (a.place[at] ?? 0) - (b.place[at] ?? 0);
  });
  return placed.map(({ name }) => name);
}
