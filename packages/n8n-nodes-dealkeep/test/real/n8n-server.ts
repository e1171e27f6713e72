import { type ChildProcess, spawn } from 'node:child_process';
import { randomUUID } from 'node:crypto';
import { createWriteStream } from 'node:fs';
import { mkdir, mkdtemp, rm, writeFile } from 'node:fs/promises';
import { createServer } from 'node:net';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { run } from '@dealkeep/tooling';
import { waitFor } from './wait-for.ts';

export interface N8nServer {
  readonly origin: string;
  readonly processId: number | undefined;
  /** Everything it printed so far. */
  log(): string;
  /** The same as a file, for other processes. */
  readonly logFile: string;
  /** Ends the process and starts it again on the same data, like an operator does; with a changed environment. */
  restart(changes?: Record<string, string>): Promise<void>;
  /** The same without a warning, as when the machine loses its power. */
  kill(): Promise<void>;
  stop(): Promise<void>;
}

export interface N8nOptions {
  /** Folder of the installation, from `installN8n`. */
  installation: string;
  /** Our packed package. */
  tarball: string;
  environment?: Record<string, string>;
}

const readyLimit = 180_000;

/** Starts a real n8n on a fresh user folder, with the packed package installed as a community node. */
export async function startN8n(options: N8nOptions): Promise<N8nServer> {
  const userFolder = await mkdtemp(join(tmpdir(), 'n8n-'));
  await installPackage(userFolder, options.tarball);
  const port = await freePort();
  let environment: Record<string, string | undefined> = {
    // Nothing else of our own: a test runner's NODE_ENV makes n8n behave otherwise.
    PATH: process.env['PATH'],
    HOME: userFolder,
    ...quiet,
    N8N_USER_FOLDER: userFolder,
    N8N_LISTEN_ADDRESS: '127.0.0.1',
    N8N_HOST: '127.0.0.1',
    N8N_PORT: String(port),
    N8N_PROTOCOL: 'http',
    N8N_WEBHOOK_URL: `http://127.0.0.1:${port}/`,
    WEBHOOK_URL: `http://127.0.0.1:${port}/`,
    // Another n8n may run on this machine.
    N8N_RUNNERS_BROKER_PORT: String(await freePort()),
    N8N_ENCRYPTION_KEY: randomUUID(),
    ...options.environment,
  };

  const logFile = join(userFolder, 'n8n.log');
  const logStream = createWriteStream(logFile);
  let child: ChildProcess | undefined;
  let printed = '';
  const start = async () => {
    const from = printed.length;
    const started = spawn(
      process.execPath,
      [join(options.installation, 'node_modules/n8n/bin/n8n'), 'start'],
      {
        env: environment,
        cwd: userFolder,
        stdio: ['ignore', 'pipe', 'pipe'],
      },
    );
    child = started;
    for (const stream of [started.stdout, started.stderr]) {
      stream.setEncoding('utf8').on('data', (text: string) => {
        printed += text;
        logStream.write(text);
      });
    }
    await waitFor('n8n to be ready', readyLimit, () => {
      if (started.exitCode !== null)
        throw new Error(`n8n ended with ${started.exitCode}:\n${printed.slice(from)}`);
      return printed.slice(from).includes('Editor is now accessible');
    });
  };
  const end = async (signal: 'SIGTERM' | 'SIGKILL' = 'SIGTERM') => {
    const running = child;
    if (!running || running.exitCode !== null || running.signalCode !== null) return;
    const ended = new Promise((resolve) => running.once('exit', resolve));
    running.kill(signal);
    await ended;
  };

  await start();
  return {
    origin: `http://127.0.0.1:${port}`,
    get processId() {
      return child?.pid;
    },
    log: () => printed,
    logFile,
    restart: async (changes = {}) => {
      await end();
      environment = { ...environment, ...changes };
      await start();
    },
    kill: async () => {
      await end('SIGKILL');
      await start();
    },
    stop: async () => {
      await end();
      logStream.end();
      await rm(userFolder, { recursive: true, force: true });
    },
  };
}

/** As n8n's own installer leaves a community package: unpacked, and named among the dependencies. */
async function installPackage(userFolder: string, tarball: string): Promise<void> {
  const nodes = join(userFolder, '.n8n', 'nodes');
  const target = join(nodes, 'node_modules', 'n8n-nodes-dealkeep');
  await mkdir(target, { recursive: true });
  await run('tar', ['-xzf', tarball, '-C', target, '--strip-components=1'], userFolder);
  await writeFile(
    join(nodes, 'package.json'),
    JSON.stringify({ name: 'installed-nodes', private: true, dependencies: { 'n8n-nodes-dealkeep': '*' } }),
  );
}

/** No calls to the internet, no banners. */
const quiet = {
  DB_TYPE: 'sqlite',
  N8N_SECURE_COOKIE: 'false',
  N8N_DISABLED_MODULES: 'mcp-registry',
  N8N_DIAGNOSTICS_ENABLED: 'false',
  N8N_VERSION_NOTIFICATIONS_ENABLED: 'false',
  N8N_TEMPLATES_ENABLED: 'false',
  N8N_PERSONALIZATION_ENABLED: 'false',
  N8N_HIRING_BANNER_ENABLED: 'false',
  N8N_VERIFIED_PACKAGES_ENABLED: 'false',
};

export function freePort(): Promise<number> {
  return new Promise((resolve, reject) => {
    const server = createServer();
    server.once('error', reject);
    server.listen(0, '127.0.0.1', () => {
      const address = server.address();
      server.close(() =>
        typeof address === 'object' && address ? resolve(address.port) : reject(new Error('no port')),
      );
    });
  });
}
