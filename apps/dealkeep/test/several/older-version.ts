import { execFileSync, spawnSync } from 'node:child_process';
import { mkdtemp, rm } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { run, withoutNpm } from '@dealkeep/tooling';
import { onTestFinished } from 'vitest';
import { newestOlder, readCheckout, releasedBackups, repository } from '../released.ts';
import type { Version } from './installation.ts';

/**
 * The first programs that live with newer migrations (decision 54) and whose own, up to 0056, these ones go on from.
 * Those that made the backup lived with none.
 */
const beforeTheFirst = '8dc0542bc2491fe729b2f84e9d4a0638702da00b';

/**
 * The programs of the newest version that is older than this checkout, as they were at its release, installed from
 * git and npm into a folder that goes with the test.
 */
export async function installOlderVersion(): Promise<Required<Version> & { name: string }> {
  const name = newestOlder(await releasedBackups(), await readCheckout());
  if (name === undefined) throw new Error('released/ holds no backup of an older version');
  const commit = name.startsWith('before-') ? beforeTheFirst : `v${name}`;
  requireCommit(commit);
  const folder = await mkdtemp(join(tmpdir(), 'dealkeep-older-'));
  onTestFinished(() => rm(folder, { recursive: true, force: true }));
  const files = join(folder, 'files.tar');
  execFileSync('git', ['archive', '--output', files, commit], { cwd: repository });
  execFileSync('tar', ['-xf', files, '-C', folder]);
  // As the image installs it: with the Node of this test, on Debian's PostgreSQL.
  const which = ['--omit=dev', '--omit=optional', '--workspace', 'apps/dealkeep'];
  await run('npm', ['ci', '--ignore-scripts', '--loglevel=error', ...which], folder, withoutNpm(process.env));
  return { name, program: join(folder, 'apps/dealkeep/bin/dealkeep.js') };
}

/** A shallow clone, as CI systems make it, fetches what it lacks. */
function requireCommit(commit: string): void {
  const git = (...args: string[]): string | undefined => {
    const { status, stdout } = spawnSync('git', args, { cwd: repository, encoding: 'utf8' });
    return status === 0 ? stdout.trim() : undefined;
  };
  const isThere = (): boolean => git('rev-parse', '--verify', '--quiet', `${commit}^{commit}`) !== undefined;
  if (isThere()) return;
  const wanted = commit.startsWith('v') ? ['tag', commit] : [commit];
  const isShallow = git('rev-parse', '--is-shallow-repository') === 'true';
  if (isShallow) git('fetch', '--quiet', '--depth', '1', '--no-tags', 'origin', ...wanted);
  if (isThere()) return;
  const how = `git fetch${isShallow ? ' --unshallow' : ''} --tags origin`;
  throw new Error(`${commit}, the older version that this test runs, is not in this clone: ${how}`);
}
