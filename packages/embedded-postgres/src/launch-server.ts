import { once } from 'node:events';
import { open, readFile, rename, stat, statfs } from 'node:fs/promises';
import { createServer } from 'node:net';
import { setTimeout as sleep } from 'node:timers/promises';
import { type DataFolder, ignoreMissing } from './data-folder.ts';
import { readPostmaster } from './postmaster.ts';
import { type Surroundings, spawnProgram } from './server-process.ts';
import { type ServerSettings, settingArguments } from './server-settings.ts';
import { nameWithin } from './server-user.ts';

/** PostgreSQL writes its write-ahead log into files of 16 MiB. */
const fileOfItsLog = 16 * 1024 * 1024;
const logLimit = 5_000_000;
const readyLimit = 300_000;
const retryLimit = 30_000;

/**
 * Starts the server in a process group of its own and waits until it is ready; crash recovery included.
 * It writes its messages into a file, not into this process, because it may outlive it.
 */
export async function launchServer(
  folder: DataFolder,
  surroundings: Surroundings,
  options: { port?: number | undefined; settings: ServerSettings },
): Promise<{ pid: number; port: number }> {
  for (const limit = Date.now() + retryLimit; ; await sleep(100)) {
    const port = options.port ?? (await freePort());
    const result = await launch(folder, surroundings, port, options.settings);
    if ('pid' in result) return { pid: result.pid, port };
    // Another program took the free port first, or the last of a killed server's processes is ending.
    const passes =
      /pre-existing shared memory block/.test(result.said) ||
      (options.port === undefined && /could not bind|Address already in use/.test(result.said));
    if (passes && Date.now() <= limit) continue;
    const mend = (await isDiskFull(folder))
      ? `: the disk is full. Make room on it, but delete nothing in ${folder.root}, then start again. PostgreSQL said`
      : '';
    throw new Error(`PostgreSQL did not start in ${folder.cluster}${mend}: ${result.said}`);
  }
}

async function launch(
  folder: DataFolder,
  surroundings: Surroundings,
  port: number,
  settings: ServerSettings,
): Promise<{ pid: number } | { said: string }> {
  const log = await openLog(folder.log);
  try {
    const begin = (await log.stat()).size;
    const child = await spawnProgram(
      'postgres',
      [
        ...['-D', await nameWithin(surroundings.user, folder.cluster), '-p', String(port)],
        ...settingArguments(settings, { cluster_name: folder.mark }),
      ],
      surroundings,
      { stdio: ['ignore', log.fd, log.fd], detached: true },
    );
    child.unref();
    const { pid } = child;
    if (pid === undefined) throw new Error('The system gave PostgreSQL no process number');

    for (const limit = Date.now() + readyLimit; child.exitCode === null && child.signalCode === null; ) {
      const found = await readPostmaster(folder);
      if (found?.pid === pid && found.ready) return { pid };
      if (Date.now() > limit) {
        child.kill('SIGQUIT');
        throw new Error(`PostgreSQL is not ready after five minutes, see ${folder.log}`);
      }
      await sleep(10);
    }
    const said = (await readFile(folder.log)).subarray(begin).toString('utf8').trim();
    return { said: said || `it ended with ${child.exitCode ?? child.signalCode}` };
  } finally {
    await log.close();
  }
}

/** Asked of the disk, because the server's own words may have had no room on it either. */
async function isDiskFull({ root }: DataFolder): Promise<boolean> {
  const { bavail, bsize } = await statfs(root);
  return bavail * bsize < fileOfItsLog;
}

async function openLog(file: string) {
  const size = (await stat(file).catch(ignoreMissing))?.size ?? 0;
  if (size > logLimit) await rename(file, `${file}.old`);
  return open(file, 'a', 0o600);
}

async function freePort(): Promise<number> {
  const server = createServer().listen(0, '127.0.0.1');
  await once(server, 'listening');
  const address = server.address();
  server.close();
  await once(server, 'close');
  if (address === null || typeof address === 'string') throw new Error('The system gave no port');
  return address.port;
}
