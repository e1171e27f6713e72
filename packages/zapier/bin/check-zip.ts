import { openZip, type ZipEntry } from './zapier-tooling.ts';

const symlinkMode = 0o120000;
const fileTypeMask = 0o170000;

/** The packages that may be inside: the platform's core and what it loads. Everything of ours is one file. */
const ownFiles = new Set(['definition.json', 'integration.js', 'package.json', 'zapierwrapper.js']);

/**
 * What makes a build unfit to be uploaded: symlinks, files that do not run, or one that is missing. Empty when all
 * is well.
 */
export async function checkZip(path: string): Promise<string[]> {
  const entries = (await openZip(path)).getEntries();
  const names = new Set(entries.map(({ entryName }) => entryName));
  return [
    ...entries.filter(isSymlink).map(({ entryName }) => `${entryName} is a symlink.`),
    ...entries
      .filter(({ entryName }) => !isNeeded(entryName))
      .map(({ entryName }) => `${entryName} is not needed.`),
    ...[...ownFiles].filter((name) => !names.has(name)).map((name) => `${name} is missing.`),
  ];
}

const isSymlink = ({ attr }: ZipEntry): boolean => ((attr >>> 16) & fileTypeMask) === symlinkMode;

const isNeeded = (name: string): boolean =>
  ownFiles.has(name) || /^node_modules\/.+\.(c?js|mjs|json)$/.test(name);
