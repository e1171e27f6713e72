import { AsyncLocalStorage } from 'node:async_hooks';
import { type ChildProcess, spawn } from 'node:child_process';
import { randomBytes } from 'node:crypto';
import { once } from 'node:events';
import { cp, readFile, rm } from 'node:fs/promises';
import { createServer, type Server } from 'node:net';
import { join } from 'node:path';
import { Readable } from 'node:stream';
import {
  claimEnvironment,
  connect,
  createApiKey,
  createOrganization,
  createUser,
  systemClock,
  updateOrganization,
} from '@dealkeep/core';
import { throwawayFolder } from '@dealkeep/embedded-postgres';
import { testDatabase } from '@dealkeep/testing';
import { beforeAll, onTestFinished, TestRunner } from 'vitest';
import { runCommand } from '../src/run-command.ts';
import type { Surroundings } from '../src/surroundings.ts';

export const program = join(import.meta.dirname, '..', 'bin', 'dealkeep.js');

export type Variables = Record<string, string | undefined>;

/** What is told to a program, and nothing of this process's own environment. */
const surroundings = (variables: Variables): NodeJS.ProcessEnv => ({
  PATH: process.env['PATH'],
  HOME: process.env['HOME'],
  // Nobody balances load here.
  DRAIN_SECONDS: '0',
  MIGRATE: 'true',
  ...variables,
});

type End = () => Promise<unknown>;

const endsOfFile = new AsyncLocalStorage<End[]>();

/** As `beforeAll`; what is made in it goes after the file, the last first. In a plain one nothing of it would. */
export function beforeAllTests(make: () => Promise<unknown>): void {
  beforeAll(async () => {
    const ends: End[] = [];
    const endAll = async (): Promise<void> => {
      for (const end of ends.reverse()) await end();
    };
    try {
      await endsOfFile.run(ends, make);
    } catch (error) {
      await endAll();
      throw error;
    }
    return endAll;
  });
}

/** After the test that runs, or after the file. */
function afterwards(end: End): void {
  const ends = endsOfFile.getStore();
  if (ends) ends.push(end);
  else if (TestRunner.getCurrentTest()) onTestFinished(async () => void (await end()));
  else throw new Error('What goes after a test or a file is made in a test or in beforeAllTests');
}

/** A folder of the test's own, which goes with it. */
export async function ownFolder(): Promise<string> {
  const folder = await throwawayFolder();
  afterwards(() => rm(folder, { recursive: true, force: true }));
  return folder;
}

/**
 * Data folders as a first start leaves them, for tests that are about later starts: made once for a file, because the
 * first start takes longest. Answers a fresh copy and the demo organization's key at every call.
 */
export function usedData(): () => Promise<{ dataDir: string; key: string }> {
  let made = { folder: '', key: '' };
  beforeAllTests(async () => {
    const folder = await ownFolder();
    const program = await startReady({ DATA_DIR: folder, PORT: '0' });
    made = { folder, key: (await demoLogin(folder)).key };
    await program.end('SIGTERM');
  });
  return async () => {
    const dataDir = join(await ownFolder(), 'data');
    await cp(made.folder, dataDir, { recursive: true });
    return { dataDir, key: made.key };
  };
}

/** What leads a program to a PostgreSQL of its own, as operators do who have one. */
export async function ownDatabase(): Promise<{ DATABASE_URL: string; SECRETS_KEY: string }> {
  const { url } = await testDatabase();
  return { DATABASE_URL: url, SECRETS_KEY: randomBytes(32).toString('base64') };
}

/** The password of the owner whom `makeOrganization` makes. */
export const password = 'correct horse battery staple';

/** An organization `own` with an owner and a key, by the verbs behind the commands, which take a process each. */
export async function makeOrganization({
  DATABASE_URL,
}: {
  DATABASE_URL: string;
}): Promise<{ id: string; key: { id: string; token: string } }> {
  const sql = connect(DATABASE_URL, { connections: 1, name: 'test' });
  try {
    const operator = { sql, clock: systemClock, environment: 'live' as const };
    await claimEnvironment(sql, 'live');
    const { id } = await createOrganization(operator, { name: 'Own', slug: 'own' });
    const limits = { requestsPerMinute: 1_000_000, orgRequestsPerMinute: 1_000_000 };
    await updateOrganization(sql, 'own', limits);
    const owner = { organization: 'own', name: 'Ľubomír Šťastný', email: 'lubo@own.example', role: 'owner' };
    await createUser(operator, { ...owner, password });
    const grant = { preset: 'automation' } as const;
    return { id, key: await createApiKey(operator, { organization: 'own', name: 'Key', grant }) };
  } finally {
    await sql.end();
  }
}

/** The demo's login and API key, as a first start without a terminal leaves them when it is ready. */
export async function demoLogin(dataDir: string): Promise<{ email: string; password: string; key: string }> {
  const text = await readFile(join(dataDir, 'demo-login'), 'utf8');
  const line = (name: string) => new RegExp(`^${name} +(\\S+)$`, 'm').exec(text)?.[1] ?? '';
  return { email: line('E-mail'), password: line('Password'), key: line('API key') };
}

export interface Ended {
  code: number | null;
  stdout: string;
  stderr: string;
}

/**
 * Runs a command of the operator to its end: within this process where it is about an operator's own database, because
 * a process takes half a second of CPU to start; else in one of its own.
 */
export async function dealkeep(args: readonly string[], variables: Variables): Promise<Ended> {
  const [name = ''] = args;
  if (['start', 'listen', 'doctor'].includes(name) || variables['DATABASE_URL'] === undefined) {
    return dealkeepProcess(args, variables);
  }
  const said = { stdout: '', stderr: '' };
  const into = (stream: keyof typeof said) => ({
    write(text: string) {
      said[stream] += text;
      return true;
    },
  });
  const own: Surroundings = {
    env: surroundings(variables),
    stdin: Readable.from([]),
    stdout: into('stdout'),
    stderr: into('stderr'),
  };
  await runCommand(args, own);
  return { code: Number(own.exitCode ?? 0), ...said };
}

/** What runs a program, where it is not this checkout's by this Node. */
export interface RunBy {
  node?: string | undefined;
  program?: string | undefined;
}

/** Runs a command of the operator to its end, in a process of its own as operators do. */
export async function dealkeepProcess(
  args: readonly string[],
  variables: Variables,
  by: RunBy = {},
): Promise<Ended> {
  const child = spawn(by.node ?? process.execPath, [by.program ?? program, ...args], {
    env: surroundings(variables),
    stdio: ['ignore', 'pipe', 'pipe'],
  });
  const heard = hear(child);
  const [code] = await once(child, 'close');
  return { code, ...heard() };
}

/** The result of a command with `--json`; an error when it fails. */
export async function result<Result>(args: readonly string[], variables: Variables): Promise<Result> {
  const { code, stdout, stderr } = await dealkeep([...args, '--json'], variables);
  if (code !== 0) throw new Error(`dealkeep ${args.join(' ')} ended with ${code}: ${stderr}`);
  return JSON.parse(stdout);
}

export interface RunningProgram {
  child: ChildProcess;
  /** Everything said so far. */
  heard(): { stdout: string; stderr: string };
  /** Waits until stdout matches; an error when the program ends before. */
  says(pattern: RegExp): Promise<string>;
  /** Sends a signal and waits for the end. */
  end(signal: NodeJS.Signals): Promise<Ended>;
  ended: Promise<Ended>;
}

/** Runs `dealkeep start`; ended with the test. */
export const startProgram = (variables: Variables, by?: RunBy): RunningProgram =>
  startCommand(['start'], variables, by);

/** Runs a command that goes on until it is ended; ended with the test. */
export function startCommand(args: readonly string[], variables: Variables, by: RunBy = {}): RunningProgram {
  const child = spawn(by.node ?? process.execPath, [by.program ?? program, ...args], {
    env: surroundings(variables),
    stdio: ['ignore', 'pipe', 'pipe'],
  });
  const heard = hear(child);
  const ended = once(child, 'close').then(([code]) => ({ code, ...heard() }));
  const end = (signal: NodeJS.Signals): Promise<Ended> => {
    child.kill(signal);
    return ended;
  };
  afterwards(async () => {
    if (child.exitCode === null && child.signalCode === null) await end('SIGTERM');
  });
  const says = (pattern: RegExp) =>
    new Promise<string>((resolve, reject) => {
      const look = () => {
        const found = pattern.exec(heard().stdout);
        if (found) resolve(found[1] ?? found[0]);
        return found !== null;
      };
      if (look()) return;
      child.stdout.on('data', look);
      ended.then(({ code, stdout, stderr }) => {
        if (!look()) reject(new Error(`dealkeep ${args[0]} ended with ${code}: ${stdout}${stderr}`));
      });
    });
  return { child, heard, says, end, ended };
}

/** Of the API, else of the console. */
const originPatterns = [/(http:\/\/[^\s"]+)\/api\/v1\/public/, /"console":"([^"]+)"/];

/** Starts the program and waits until it is ready. */
export async function startReady(variables: Variables, by?: RunBy) {
  const running = startProgram({ PORT: '0', ...variables }, by);
  await running.says(/Dealkeep is ready.*\n/);
  const { stdout } = running.heard();
  const origin = originPatterns.map((each) => each.exec(stdout)?.[1]).find(Boolean);
  return { ...running, origin: origin ?? '', port: origin ? new URL(origin).port : '' };
}

function hear(child: ChildProcess): () => { stdout: string; stderr: string } {
  let stdout = '';
  let stderr = '';
  child.stdout?.setEncoding('utf8').on('data', (text: string) => {
    stdout += text;
  });
  child.stderr?.setEncoding('utf8').on('data', (text: string) => {
    stderr += text;
  });
  return () => ({ stdout, stderr });
}

/** Asks the API as the owner of a key. */
export const ask = (origin: string, key: string, path: string, init: RequestInit = {}): Promise<Response> =>
  fetch(`${origin}/api/v1/public${path}`, {
    ...init,
    headers: { authorization: `Bearer ${key}`, 'content-type': 'application/json' },
  });

/** A server that takes a port away, for as long as the test runs. */
export async function takenPort(): Promise<string> {
  const { server, port } = await listenAnywhere();
  afterwards(async () => server.close());
  return port;
}

async function listenAnywhere(): Promise<{ server: Server; port: string }> {
  const server = createServer().listen(0, '127.0.0.1');
  await once(server, 'listening');
  const address = server.address();
  if (address === null || typeof address === 'string') throw new Error('The system gave no port');
  return { server, port: String(address.port) };
}

/** The number of the embedded PostgreSQL's process; undefined when none runs. */
export async function postgresOf(dataDir: string): Promise<number | undefined> {
  const text = await readFile(join(dataDir, 'postgres', 'postmaster.pid'), 'utf8').catch(() => undefined);
  return text === undefined ? undefined : Number(text.split('\n')[0]);
}

export const oneLine = /^[^\n]+\n$/;
