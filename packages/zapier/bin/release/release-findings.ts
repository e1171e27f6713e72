import { compareSurfaces } from './compare-surfaces.ts';
import type { Release } from './surface.ts';

const advice = {
  breaking:
    'A change that breaks Zaps needs a new major version in package.json. Better: keep the old step, hide nothing, and add a new one beside it.',
  added: 'What is new needs a new minor version in package.json.',
};

/**
 * Why a version may not follow the one that was released last; empty when it may. Versions count as semver.org says,
 * as Zapier counts them.
 */
export function releaseFindings(released: Release | undefined, next: Release, changelog: string): string[] {
  const entry = changelog.split('\n').includes(`## ${next.version}`)
    ? []
    : [`CHANGELOG.md has no entry "## ${next.version}" that tells users what changed.`];
  if (!released) return entry;
  const [before, after] = [numbersOf(released.version), numbersOf(next.version)];
  const { breaking, added } = compareSurfaces(released.surface, next.surface);
  const isNewMajor = after.major > before.major;
  const isNewMinor = isNewMajor || (after.major === before.major && after.minor > before.minor);
  return [
    ...entry,
    ...(isOlder(after, before)
      ? [`${next.version} is older than ${released.version}, which is released.`]
      : []),
    ...(isNewMajor || breaking.length === 0 ? [] : [...breaking, advice.breaking]),
    ...(isNewMinor || added.length === 0 ? [] : [...added, advice.added]),
  ];
}

interface VersionNumbers {
  readonly major: number;
  readonly minor: number;
  readonly patch: number;
}

function numbersOf(version: string): VersionNumbers {
  const [, major, minor, patch] = version.match(/^(\d+)\.(\d+)\.(\d+)$/) ?? [];
  if (major === undefined) throw new Error(`"${version}" is no version such as 1.2.3.`);
  return { major: Number(major), minor: Number(minor), patch: Number(patch) };
}

const isOlder = (one: VersionNumbers, other: VersionNumbers): boolean =>
  (one.major - other.major || one.minor - other.minor || one.patch - other.patch) < 0;
