import { readFile, writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import { setTimeout as sleep } from 'node:timers/promises';
import { locateBinaries } from './binaries.ts';
import {
  type DataFolder,
  existingDataFolder,
  makeDataFolder,
  openDataFolder,
  roleName,
} from './data-folder.ts';
import { hasCluster, initializeCluster } from './initialize-cluster.ts';
import { launchServer } from './launch-server.ts';
import { answers, endOrphans, isAlive, isServerOf, readPostmaster, waitForEnd } from './postmaster.ts';
import { runProgram } from './server-process.ts';
import type { ServerSettings } from './server-settings.ts';
import { chooseServerUser, giveAllTo } from './server-user.ts';
import { exclusively, hasUsers, joinUsers } from './usage-lock.ts';

const patience = 60_000;

/** Ends the server: open transactions are rolled back, data written out. The next start recovers nothing. */
async function stopServer(folder: DataFolder, pid: number): Promise<void> {
  if (process.platform === 'win32') {
    // Windows has no signals between processes; PostgreSQL brings its own there.
    const surroundings = { binaries: await locateBinaries({}), user: {}, cwd: folder.cluster };
    return runProgram('pg_ctl', ['stop', '-D', folder.cluster, '-m', 'fast'], surroundings);
  }
  process.kill(pid, 'SIGINT');
  if (await waitForEnd(pid, patience)) return;
  // Ends at once; the next start recovers from the write-ahead log.
  process.kill(pid, 'SIGQUIT');
  if (!(await waitForEnd(pid, patience))) throw new Error(`PostgreSQL (process ${pid}) does not end`);
}

export interface EmbeddedPostgresOptions {
  /** Made when missing; holds the data, the generated password and the server's log. */
  dataDir: string;
  /** Made with the data, at the first start. Default `dealkeep`. */
  database?: string;
  /** Default: any free port of 127.0.0.1. A server that already runs keeps its own. */
  port?: number;
  /** Hears one line about each thing an operator may want to know. */
  log?: (line: string) => void;
  /** Added to the settings for a small machine; ignored by a server that already runs. */
  settings?: ServerSettings;
}

export interface ServerExit {
  /** False when the server ended although nobody here stopped it. */
  stopped: boolean;
  /** The last lines of the server's log. */
  lastWords: string;
}

export interface EmbeddedPostgres {
  /** With the generated password; do not log it. */
  url: string;
  port: number;
  /** The server was running already: left over by a killed process, or used by another one. */
  adopted: boolean;
  /** Ends the server, unless another process still uses it; the last one to leave ends it. */
  stop(): Promise<void>;
  /** Fulfilled when the server has ended, or when this process has left it. Never rejected. */
  exited: Promise<ServerExit>;
}

/**
 * Starts PostgreSQL on `dataDir`, or adopts the server that runs there. Several processes may call it at
 * once: they share one server. Rejects with a sentence for the operator when it cannot start.
 */
export async function startEmbeddedPostgres(options: EmbeddedPostgresOptions): Promise<EmbeddedPostgres> {
  const { dataDir, database = 'dealkeep', log = () => {} } = options;
  const root = await makeDataFolder(dataDir);
  const { folder, pid, port, adopted, membership } = await exclusively(root, async () => {
    const folder = await openDataFolder(root);
    const found = await adoptableServer(folder);
    const server = found ?? (await startServer(folder, options));
    return { ...server, folder, adopted: found !== undefined, membership: joinUsers(root) };
  });
  log(
    `PostgreSQL ${adopted ? 'was already running' : 'runs'} on 127.0.0.1:${port}, data in ${folder.cluster}`,
  );

  const watch = new AbortController();
  let stopping: Promise<void> | undefined;
  const leave = () =>
    exclusively(root, async () => {
      membership.leave();
      if (hasUsers(root)) log('PostgreSQL keeps running for another process');
      else if (await isServerOf(folder, pid)) await stopServer(folder, pid);
    }).finally(() => watch.abort());
  const exited = watchServer(pid, watch.signal).then(async () => ({
    stopped: stopping !== undefined,
    lastWords: await lastWords(folder),
  }));
  return {
    url: urlOf(folder, port, database),
    port,
    adopted,
    // After the log was read, so that nothing of the folder is open.
    stop: () => (stopping ??= leave().finally(() => exited)),
    exited,
  };
}

/** The address of the server that runs on `dataDir` and is ready; undefined when none is. */
export async function runningEmbeddedPostgres(
  dataDir: string,
  database = 'dealkeep',
): Promise<string | undefined> {
  const folder = await existingDataFolder(dataDir);
  if (!folder) return undefined;
  const found = await readPostmaster(folder);
  if (!found?.ready || !(await isServerOf(folder, found.pid))) return undefined;
  return urlOf(folder, found.port, database);
}

async function adoptableServer(folder: DataFolder): Promise<{ pid: number; port: number } | undefined> {
  for (const limit = Date.now() + 60_000; ; await sleep(50)) {
    const found = await readPostmaster(folder);
    if (!found || !(await isServerOf(folder, found.pid))) return undefined;
    if (found.ready && (await answers(found.port))) return found;
    // It is recovering, or on its way out.
    if (Date.now() > limit)
      throw new Error(
        `PostgreSQL (process ${found.pid}) of ${folder.root} does not answer: end it, then start again`,
      );
  }
}

async function startServer(folder: DataFolder, options: EmbeddedPostgresOptions) {
  const { database = 'dealkeep', port, settings = {}, log = () => {} } = options;
  const user = await chooseServerUser(folder);
  const binaries = await locateBinaries(user);
  if (await hasCluster(folder)) {
    await clearStalePostmaster(folder);
    await giveAllTo(user, folder.cluster);
  } else {
    log(`First start: making a database in ${folder.cluster}`);
    await initializeCluster(folder, user, binaries, { database, sync: settings['fsync'] !== 'off' });
  }
  return launchServer(folder, { binaries, user, cwd: folder.cluster }, { port, settings });
}

/**
 * A killed server leaves its lock file, and its number may be another process's by now (a restarted
 * container), or a dead one's that nobody has buried. So it becomes our own number, which PostgreSQL takes
 * for stale in a child of ours; the rest of the file leads it to the shared memory of the killed server.
 */
async function clearStalePostmaster(folder: DataFolder): Promise<void> {
  if (!(await readPostmaster(folder))) return;
  if (hasUsers(folder.root))
    throw new Error(
      `${folder.root} is in use by another process, and its server has ended or runs on another machine: stop that process first`,
    );
  await endOrphans(folder);
  // There, it tells by itself whether the number is a server's.
  if (process.platform === 'win32') return;
  const file = join(folder.cluster, 'postmaster.pid');
  const text = await readFile(file, 'utf8');
  await writeFile(file, text.replace(/^\d+/, String(process.pid)));
}

async function watchServer(pid: number, signal: AbortSignal): Promise<void> {
  while (!signal.aborted && (await isAlive(pid)))
    await sleep(500, undefined, { signal, ref: false }).catch(() => {});
}

function urlOf({ password }: DataFolder, port: number, database: string): string {
  return `postgres://${roleName}:${password}@127.0.0.1:${port}/${encodeURIComponent(database)}`;
}

async function lastWords({ log }: DataFolder): Promise<string> {
  const text = await readFile(log, 'utf8').catch(() => '');
  return text.trimEnd().split('\n').slice(-10).join('\n');
}
