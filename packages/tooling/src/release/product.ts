import { execFileSync } from 'node:child_process';
import { readFileSync } from 'node:fs';
import { join } from 'node:path';

export interface Manifest {
  readonly name: string;
  readonly version: string;
  readonly [member: string]: unknown;
}

/**
 * Packages whose version means something to a platform: it asks users to move when it changes, and judges each by
 * itself. All others have the version of the product (decision 52).
 */
export const platformVersions: ReadonlySet<string> = new Set(['@dealkeep/zapier', 'n8n-nodes-dealkeep']);

export const repository = join(import.meta.dirname, '..', '..', '..', '..');

/** Paths of the committed package.json of the product and its packages. */
export function manifestPaths(): string[] {
  const listed = execFileSync(
    'git',
    ['ls-files', 'package.json', 'packages/*/package.json', 'apps/*/package.json'],
    { cwd: repository, encoding: 'utf8' },
  );
  return listed
    .split('\n')
    .filter((path) => /^((packages|apps)\/[^/]+\/)?package\.json$/.test(path))
    .sort();
}

export const readManifest = (path: string): Manifest =>
  JSON.parse(readFileSync(join(repository, path), 'utf8'));

/** The version of the product, as the package.json of the root has it. */
export const productVersion = (): string => readManifest('package.json').version;
