import { spawn } from 'node:child_process';
import { createHash } from 'node:crypto';
import { existsSync } from 'node:fs';
import { mkdir, readFile, rename, rm, stat, writeFile } from 'node:fs/promises';
import { homedir } from 'node:os';
import { join } from 'node:path';
import { setTimeout as sleep } from 'node:timers/promises';

export interface CachedInstall {
  /** Folder name in the cache, with the version: `n8n-2.41.1`. */
  name: string;
  /** Exact versions by package name. */
  dependencies: Record<string, string>;
  overrides?: Record<string, string>;
  /** Further flags of `npm install`. */
  flags?: string[];
  /** Runs once in the fresh folder, before it counts as complete. */
  finish?: (folder: string) => Promise<void>;
}

const installLimit = 20 * 60_000;

/** Where on-demand tooling lives: outside the repository, so that a fresh clone finds it again. */
function cacheFolder(): string {
  return join(process.env['XDG_CACHE_HOME'] || join(homedir(), '.cache'), 'dealkeep');
}

/**
 * Installs heavy tooling once and returns its folder; later calls return at once.
 * Two callers at once are safe: one installs, the other waits. A folder counts only when its marker,
 * written last, names the same request; a half-finished one is removed and made again.
 */
export async function cachedInstall(request: CachedInstall): Promise<string> {
  const folder = join(cacheFolder(), request.name);
  const manifest = {
    private: true,
    dependencies: request.dependencies,
    ...(request.overrides ? { overrides: request.overrides } : {}),
  };
  const wanted = createHash('sha256').update(JSON.stringify(manifest)).digest('hex');
  const complete = async () => (await readMarker(folder)) === wanted;
  if (await complete()) return folder;

  await mkdir(cacheFolder(), { recursive: true });
  const lock = `${folder}.lock`;
  if (!(await takeLock(lock, complete))) return folder;
  try {
    const fresh = `${folder}.installing`;
    await rm(fresh, { recursive: true, force: true });
    await mkdir(fresh, { recursive: true });
    await writeFile(join(fresh, 'package.json'), JSON.stringify(manifest, null, 2));
    process.stderr.write(`Installing ${request.name} into ${folder} (once)\n`);
    await run(
      'npm',
      ['install', '--no-audit', '--no-fund', '--loglevel=error', ...(request.flags ?? [])],
      fresh,
    );
    await request.finish?.(fresh);
    await writeFile(join(fresh, '.complete'), wanted);
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
export function run(command: string, args: string[], cwd: string): Promise<void> {
  return new Promise((resolve, reject) => {
    const child = spawn(command, args, { cwd, stdio: ['ignore', 2, 2] });
    child.once('error', reject);
    child.once('close', (code) =>
      code === 0 ? resolve() : reject(new Error(`${command} ${args.join(' ')} ended with ${code} in ${cwd}`)),
    );
  });
}
