import { type ChildProcess, type SpawnOptions, spawn } from 'node:child_process';
import { once } from 'node:events';
import { join } from 'node:path';
import type { ServerUser } from './server-user.ts';

/** What runs a program of PostgreSQL: its folder, its user, its working directory. */
export interface Surroundings {
  binaries: string;
  user: ServerUser;
  cwd: string;
}

/**
 * Spawns a program of PostgreSQL with nothing of the caller's environment that could change its meaning
 * (PGDATA, PGOPTIONS, locales that the machine does not have). Fulfilled when it runs.
 */
export async function spawnProgram(
  name: 'initdb' | 'postgres' | 'pg_ctl',
  args: string[],
  { binaries, user, cwd }: Surroundings,
  options: Pick<SpawnOptions, 'stdio' | 'detached'>,
): Promise<ChildProcess> {
  const program = join(binaries, 'bin', name);
  const kept = ['PATH', 'SystemRoot', 'TEMP', 'TMP'].flatMap((variable) => {
    const value = process.env[variable];
    return value === undefined ? [] : [[variable, value]];
  });
  const env = { ...Object.fromEntries(kept), LC_ALL: 'C', TZ: 'UTC' };
  try {
    const child = spawn(program, args, { ...options, ...user, cwd, env, windowsHide: true });
    await once(child, 'spawn');
    return child;
  } catch (cause) {
    const as = user.uid === undefined ? '' : ` as user ${user.uid}`;
    const why = cause instanceof Error ? cause.message : String(cause);
    throw new Error(
      `${program} cannot run here${as} (${why}): set DATABASE_URL to use a PostgreSQL of your own`,
      { cause },
    );
  }
}

/** A program of PostgreSQL found no room on the disk. */
export class DiskFull extends Error {
  override readonly name = 'DiskFull';
}

/** How the system says so in the locale C, which the programs run in. */
const saysFull = /No space left on device|Disk quota exceeded/;

/**
 * Runs a program to its end with `input` on stdin; rejects with everything it said when it fails, as DiskFull where
 * that is why.
 */
export async function runProgram(
  name: 'initdb' | 'postgres' | 'pg_ctl',
  args: string[],
  surroundings: Surroundings,
  input = '',
): Promise<void> {
  const child = await spawnProgram(name, args, surroundings, { stdio: 'pipe' });
  let said = '';
  const hear = (text: string) => {
    said += text;
  };
  child.stdout?.setEncoding('utf8').on('data', hear);
  child.stderr?.setEncoding('utf8').on('data', hear);
  // A program that ends early closes its stdin; what it said tells why.
  child.stdin?.on('error', () => {}).end(input);
  const [code, signal] = await once(child, 'close');
  if (code === 0) return;
  const what = `${name} ended with ${code ?? signal}: ${said.trim()}`;
  throw saysFull.test(said) ? new DiskFull(what) : new Error(what);
}
