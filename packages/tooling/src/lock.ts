// Writes the lock files of the tools that are fetched on demand: of those named on the command line, else of all
// that have none. To change a tool, copy its folder in `tools` under the new version, change package.json, remove
// the lock.
import { existsSync } from 'node:fs';
import { cp, mkdtemp, readdir, readFile, rm, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { run, toolsFolder, unlockedTools } from './cached-install.ts';

interface LockFile {
  packages: Record<string, LockedPackage>;
}

interface LockedPackage {
  version?: string;
  optional?: boolean;
  os?: string[];
  cpu?: string[];
  optionalDependencies?: Record<string, string>;
}

const named = process.argv.slice(2);
const withoutLock = (name: string): boolean =>
  !unlockedTools.includes(name) && !existsSync(join(toolsFolder, name, 'package-lock.json'));
const chosen = named.length > 0 ? named : (await readdir(toolsFolder)).filter(withoutLock);

for (const name of chosen) {
  // Elsewhere, so that npm does not take the folder for a part of this repository.
  const folder = await mkdtemp(join(tmpdir(), 'dealkeep-lock-'));
  try {
    await cp(join(toolsFolder, name), folder, { recursive: true });
    await run('npm', ['install', '--package-lock-only', '--no-audit', '--no-fund'], folder);
    const lock: LockFile = JSON.parse(await readFile(join(folder, 'package-lock.json'), 'utf8'));
    await writeLock(name, lock);
  } finally {
    await rm(folder, { recursive: true, force: true });
  }
}
process.stdout.write(`${chosen.length} lock files written\n`);

async function writeLock(name: string, lock: LockFile): Promise<void> {
  const { '': root = {}, ...others } = lock.packages;
  const added = Object.fromEntries(
    absentPackages(lock).map(([path, version]) => [path, { version, optional: true, ...platformOf(path) }]),
  );
  const sorted = Object.entries({ ...others, ...added }).sort(([one], [other]) => (one < other ? -1 : 1));
  // npm names it after the folder, which says nothing here.
  const whole = { ...lock, name, packages: { '': { ...root, name }, ...Object.fromEntries(sorted) } };
  await writeFile(join(toolsFolder, name, 'package-lock.json'), `${JSON.stringify(whole, null, 2)}\n`);
}

/**
 * Optional packages for other platforms that the registry at hand does not have. npm leaves them out of the lock
 * file and then refuses it for that, so they are named here; nothing fetches them on a platform that is not theirs.
 */
function absentPackages({ packages }: LockFile): [path: string, version: string][] {
  return Object.values(packages).flatMap(({ optionalDependencies = {} }) =>
    Object.entries(optionalDependencies).flatMap(([dependency, version]): [string, string][] => {
      const path = `node_modules/${dependency}`;
      return path in packages || !/^\d/.test(version) ? [] : [[path, version]];
    }),
  );
}

/** By the words of its name: `@biomejs/cli-darwin-arm64`. */
function platformOf(path: string): Pick<LockedPackage, 'os' | 'cpu'> {
  const words = path.split(/[-/]/);
  const os = words.find((word) =>
    /^(aix|android|darwin|freebsd|linux|netbsd|openbsd|sunos|win32)$/.test(word),
  );
  const cpu = words.find((word) => /^(arm|arm64|ia32|loong64|ppc64|riscv64|s390x|x64)$/.test(word));
  return { ...(os ? { os: [os] } : {}), ...(cpu ? { cpu: [cpu] } : {}) };
}
