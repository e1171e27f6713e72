import { spawn } from 'node:child_process';
import { createHash } from 'node:crypto';
import { existsSync } from 'node:fs';
import { copyFile, mkdir, readFile, rename, rm, stat, writeFile } from 'node:fs/promises';
import { homedir } from 'node:os';
import { join } from 'node:path';
import { setTimeout as sleep } from 'node:timers/promises';

/** Where the manifests and the lock files of the tools stand, a folder for each. */
export const toolsFolder = join(import.meta.dirname, '..', 'tools');

/** What npm reads. The settings among them keep install scripts of fetched packages from running. */
const lockedFiles = ['package.json', 'package-lock.json', '.npmrc'] as const;

/**
 * Tools without a lock file, since only benchmarks and soaks that somebody starts by hand use them: their own
 * version is exact, those of what they need are the newest that they take. Their lock files were half of all tracked
 * lines.
 */
export const unlockedTools: readonly string[] = ['directus-12.4.0', 'n8n-2.39.10', 'n8n-2.40.7'];

const installLimit = 20 * 60_000;

/** Where on-demand tooling lives: outside the repository, so that a fresh clone finds it again. */
function cacheFolder(): string {
  return join(process.env['XDG_CACHE_HOME'] || join(homedir(), '.cache'), 'dealkeep', 'tools');
}

/**
 * Installs heavy tooling once, exactly as its committed lock file says (`unlockedTools` have none), and returns its
 * folder; later calls return at once. Two callers at once are safe: one installs, the other waits. A folder counts
 * only when its marker, written last, names the same manifest and lock file; a half-finished one is removed and made
 * again.
 *
 * @param name Folder of the tool in `packages/tooling/tools`, with its version: `n8n-2.41.1`. A new one is written
 *   by `npm run lock --workspace @dealkeep/tooling`.
 * @param finish Runs once in the fresh folder, before it counts as complete.
 */
export async function cachedInstall(
  name: string,
  finish?: (folder: string) => Promise<void>,
): Promise<string> {
  const folder = join(cacheFolder(), name);
  const locked = join(toolsFolder, name);
  const wanted = createHash('sha256');
  const isLocked = !unlockedTools.includes(name);
  const files = lockedFiles.filter((file) => isLocked || file !== 'package-lock.json');
  for (const file of files) wanted.update(await readFile(join(locked, file)));
  const mark = wanted.digest('hex');
  const complete = async () => (await readMarker(folder)) === mark;
  if (await complete()) return folder;

  await mkdir(cacheFolder(), { recursive: true });
  const lock = `${folder}.lock`;
  if (!(await takeLock(lock, complete))) return folder;
  try {
    const fresh = `${folder}.installing`;
    await rm(fresh, { recursive: true, force: true });
    await mkdir(fresh, { recursive: true });
    for (const file of files) await copyFile(join(locked, file), join(fresh, file));
    process.stderr.write(`Installing ${name} into ${folder} (once)\n`);
    await run('npm', [isLocked ? 'ci' : 'install', '--no-audit', '--no-fund', '--loglevel=error'], fresh);
    await finish?.(fresh);
    await writeFile(join(fresh, '.complete'), mark);
    await rm(folder, { recursive: true, force: true });
    await rename(fresh, folder);
    return folder;
  } finally {
    await rm(lock, { recursive: true, force: true });
  }
}

async function readMarker(folder: string): Promise<string | undefined> {
  const marker = join(folder, '.complete');
  return existsSync(marker) ? readFile(marker, 'utf8') : undefined;
}

/**
 * A folder is made atomically, so it serves as a lock; one left by a killed process is taken over.
 * False when another process finished the work meanwhile: there is nothing left to lock for.
 */
async function takeLock(lock: string, done: () => Promise<boolean>): Promise<boolean> {
  for (;;) {
    if (await done()) return false;
    try {
      await mkdir(lock);
      return true;
    } catch (error) {
      if (!(error instanceof Error && 'code' in error && error.code === 'EEXIST')) throw error;
    }
    const age =
      Date.now() -
      (await stat(lock).then(
        (entry) => entry.mtimeMs,
        () => Date.now(),
      ));
    if (age > installLimit) await rm(lock, { recursive: true, force: true });
    else await sleep(500);
  }
}

/** Runs a command to its end; its output goes to stderr. Rejects with the command line when it fails. */
export function run(command: string, args: string[], cwd: string, env = process.env): Promise<void> {
  return new Promise((resolve, reject) => {
    const child = spawn(command, args, { cwd, env, stdio: ['ignore', 2, 2] });
    child.once('error', reject);
    child.once('close', (code) =>
      code === 0 ? resolve() : reject(new Error(`${command} ${args.join(' ')} ended with ${code} in ${cwd}`)),
    );
  });
}
