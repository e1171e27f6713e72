import { execFile } from 'node:child_process';
import { readdir, readFile } from 'node:fs/promises';
import { connect } from 'node:net';
import { join } from 'node:path';
import { setTimeout as sleep } from 'node:timers/promises';
import { promisify } from 'node:util';
import { type DataFolder, ignoreMissing } from './data-folder.ts';

/** What `postmaster.pid` says: PostgreSQL's documented lock file, one value a line. */
export interface Postmaster {
  pid: number;
  port: number;
  ready: boolean;
}

/** Undefined when there is no such file, or when its server has only begun to write it. */
export async function readPostmaster({ cluster }: DataFolder): Promise<Postmaster | undefined> {
  const text = await readFile(join(cluster, 'postmaster.pid'), 'utf8').catch(ignoreMissing);
  const lines = text?.split('\n') ?? [];
  const pid = Number(lines[0]);
  if (!Number.isSafeInteger(pid) || pid < 1) return undefined;
  return { pid, port: Number(lines[3]), ready: lines[7]?.trim() === 'ready' };
}

/** Whether the process lives and carries this folder's mark; numbers of processes are given out again. */
export async function isServerOf({ mark }: DataFolder, pid: number): Promise<boolean> {
  if (!(await isAlive(pid))) return false;
  return (await commandLine(pid)).includes(`cluster_name=${mark}`);
}

/** Whether a process lives; one that ended and waits for its parent to notice does not. */
export async function isAlive(pid: number): Promise<boolean> {
  try {
    process.kill(pid, 0);
  } catch (error) {
    if (error instanceof Error && 'code' in error && error.code === 'ESRCH') return false;
  }
  if (process.platform !== 'linux') return true;
  const status = await readFile(`/proc/${pid}/stat`, 'utf8').catch(() => '');
  return !/^[ZX]?$/.test(status.slice(status.lastIndexOf(')') + 2)[0] ?? '');
}

async function commandLine(pid: number): Promise<string> {
  switch (process.platform) {
    case 'linux':
      return readFile(`/proc/${pid}/cmdline`, 'utf8').catch(() => '');
    case 'win32':
      return said('powershell', [
        '-NoProfile',
        '-Command',
        `(Get-CimInstance Win32_Process -Filter "ProcessId=${pid}").CommandLine`,
      ]);
    default:
      return said('ps', ['-ww', '-o', 'args=', '-p', String(pid)]);
  }
}

/** What a command says; nothing when it fails because the process it asks about is gone. */
async function said(command: string, args: string[]): Promise<string> {
  return promisify(execFile)(command, args).then(
    ({ stdout }) => stdout,
    () => '',
  );
}

/**
 * Ends the sessions of a server that was killed. They go on until their statement ends, which may be never,
 * and until then no new server may touch the data.
 */
export async function endOrphans({ mark }: DataFolder): Promise<void> {
  for (const pid of await processNumbers()) {
    if (!(await commandLine(pid)).startsWith(`postgres: ${mark}: `)) continue;
    process.kill(pid, 'SIGQUIT');
    await waitForEnd(pid, 10_000);
  }
}

async function processNumbers(): Promise<number[]> {
  // Windows ends them by itself.
  if (process.platform === 'win32') return [];
  const names =
    process.platform === 'linux'
      ? await readdir('/proc')
      : (await said('ps', ['-ax', '-o', 'pid='])).split('\n');
  return names.map(Number).filter((pid) => pid > 1);
}

/** Waits until the process is gone; false when it still lives after `limit` milliseconds. */
export async function waitForEnd(pid: number, limit: number): Promise<boolean> {
  for (const until = Date.now() + limit; await isAlive(pid); await sleep(20))
    if (Date.now() > until) return false;
  return true;
}

/** Whether a PostgreSQL answers at the port: to a request for TLS it says that it has none. */
export function answers(port: number): Promise<boolean> {
  const requestForTls = Buffer.from([0, 0, 0, 8, 4, 210, 22, 47]);
  return new Promise((resolve) => {
    const socket = connect({ host: '127.0.0.1', port });
    const finish = (result: boolean) => {
      socket.destroy();
      resolve(result);
    };
    socket.setTimeout(10_000, () => finish(false));
    socket.once('connect', () => socket.write(requestForTls));
    socket.once('data', (data) => finish(data[0] === 0x4e));
    socket.once('error', () => finish(false));
    socket.once('close', () => finish(false));
  });
}
