import { type ChildProcess, type SpawnOptions, spawn } from 'node:child_process';
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
 * (PGDATA, PGOPTIONS, locales that the machine does not have).
 */
export function spawnProgram(
  name: 'initdb' | 'postgres' | 'pg_ctl',
  args: string[],
  { binaries, user, cwd }: Surroundings,
  options: Pick<SpawnOptions, 'stdio' | 'detached'>,
): ChildProcess {
  const kept = ['PATH', 'SystemRoot', 'TEMP', 'TMP'].flatMap((variable) => {
    const value = process.env[variable];
    return value === undefined ? [] : [[variable, value]];
  });
  return spawn(join(binaries, 'bin', name), args, {
    ...options,
    ...user,
    cwd,
    env: { ...Object.fromEntries(kept), LC_ALL: 'C', TZ: 'UTC' },
    windowsHide: true,
  });
}

/** Runs a program to its end with `input` on stdin; rejects with everything it said when it fails. */
export function runProgram(
  name: 'initdb' | 'postgres' | 'pg_ctl',
  args: string[],
  surroundings: Surroundings,
  input = '',
): Promise<void> {
  return new Promise((resolve, reject) => {
    const child = spawnProgram(name, args, surroundings, { stdio: 'pipe' });
    let said = '';
    const hear = (text: string) => {
      said += text;
    };
    child.stdout?.setEncoding('utf8').on('data', hear);
    child.stderr?.setEncoding('utf8').on('data', hear);
    // A program that ends early closes its stdin; what it said tells why.
    child.stdin?.on('error', () => {}).end(input);
    child.once('error', (error) => reject(cannotRun(name, surroundings, error)));
    child.once('close', (code, signal) =>
      code === 0 ? resolve() : reject(new Error(`${name} ended with ${code ?? signal}: ${said.trim()}`)),
    );
  });
}

export function cannotRun(name: string, { binaries, user }: Surroundings, cause: Error): Error {
  const as = user.uid === undefined ? '' : ` as user ${user.uid}`;
  return new Error(
    `${join(binaries, 'bin', name)} cannot run here${as} (${cause.message}); set DATABASE_URL to use a PostgreSQL of your own`,
    { cause },
  );
}
