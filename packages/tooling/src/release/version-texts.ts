import { basename } from 'node:path';
import { type Manifest, platformVersions } from './product.ts';

const dependencyMembers = ['dependencies', 'devDependencies', 'optionalDependencies', 'peerDependencies'];

/** A package.json, or its copy in the lock file, with the version of the product wherever it names it. */
export function withVersion<M extends object>(manifest: M, name: string, version: string): M {
  const changed = Object.entries(manifest).map(([member, value]) => {
    if (member === 'version' && !platformVersions.has(name)) return [member, version];
    if (!dependencyMembers.includes(member)) return [member, value];
    const dependencies = Object.entries(value).map(([dependency, range]) => [
      dependency,
      dependency.startsWith('@dealkeep/') && !platformVersions.has(dependency) ? version : range,
    ]);
    return [member, Object.fromEntries(dependencies)];
  });
  return Object.fromEntries(changed) as M;
}

export interface LockFile {
  readonly version: string;
  readonly packages: Readonly<Record<string, Partial<Manifest>>>;
}

/** The lock file has a copy of each package.json, by its folder; npm leaves the name out where the folder has it. */
export function lockWithVersion(lock: LockFile, version: string): LockFile {
  const packages = Object.entries(lock.packages).map(([path, entry]) => [
    path,
    path.includes('node_modules/') || entry.version === undefined
      ? entry
      : withVersion(entry, entry.name ?? basename(path), version),
  ]);
  return { ...lock, version, packages: Object.fromEntries(packages) };
}

/**
 * Files that say which version is run: as the tag of the image, of the repository, or in the name of the job that
 * migrates.
 */
export function withImageVersion(text: string, version: string): string {
  return text
    .replaceAll(/(DEALKEEP_VERSION:-|newTag: |\?ref=v)\d+\.\d+\.\d+/g, `$1${version}`)
    .replaceAll(/(dealkeep-migrate-)\d+-\d+-\d+/g, `$1${version.replaceAll('.', '-')}`);
}
