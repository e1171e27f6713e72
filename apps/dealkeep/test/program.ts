import { AsyncLocalStorage } from 'node:async_hooks';
import { type ChildProcess, spawn } from 'node:child_process';
import { randomBytes } from 'node:crypto';
import { EventEmitter, once } from 'node:events';
import { rmSync } from 'node:fs';
import { cp, readFile, rm } from 'node:fs/promises';
import { createServer, type Server } from 'node:net';
import { join } from 'node:path';
import { PassThrough, type Readable } from 'node:stream';
import { createApiKey, createOrganization, createUser, updateOrganization } from '@dealkeep/core/accounts';
import { connect, systemClock } from '@dealkeep/core/foundations';
import { claimEnvironment } from '@dealkeep/core/installation';
import { throwawayFolder } from '@dealkeep/embedded-postgres';
import { ownerPassword, ownerPasswordHash, testDatabase } from '@dealkeep/testing';
import { afterAll, beforeAll, onTestFinished, TestRunner } from 'vitest';
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
  const ends: End[] = [];
  beforeAll(async () => void (await endsOfFile.run(ends, make)));
  // Not as what `beforeAll` answers: that would come after the end of the databases.
  afterAll(async () => {
    for (const end of ends.reverse()) await end();
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

let firstStart: Promise<{ folder: string; key: string }> | undefined;

/**
 * A data folder as a first start leaves it, and the demo organization's key, for tests that are about later starts:
 * a copy of one that is made once for the files of a test process, because the first start takes longest.
 */
export async function usedData(): Promise<{ dataDir: string; key: string }> {
  firstStart ??= makeFirstStart();
  const { folder, key } = await firstStart;
  const dataDir = join(await ownFolder(), 'data');
  await cp(folder, dataDir, { recursive: true });
  return { dataDir, key };
}

async function makeFirstStart(): Promise<{ folder: string; key: string }> {
  const folder = await throwawayFolder();
  process.once('exit', () => rmSync(folder, { recursive: true, force: true }));
  const variables = { DATA_DIR: folder, PORT: '0', ROLES: 'api' };
  const program = await ready(runningHere(['start'], variables));
  await program.end('SIGTERM');
  return { folder, key: (await demoLogin(folder)).key };
}

/** What leads a program to a PostgreSQL of its own, as operators do who have one. */
export async function ownDatabase(): Promise<{ DATABASE_URL: string; SECRETS_KEY: string }> {
  const { url } = await testDatabase();
  return { DATABASE_URL: url, SECRETS_KEY: randomBytes(32).toString('base64') };
}

/** The password of the owner whom `makeOrganization` makes. */
export const password = ownerPassword;

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
    await createUser(operator, owner);
    await sql`update users set password_hash = ${ownerPasswordHash} where email = ${owner.email}`;
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

/** What a command within this process reads, writes and hears. */
export class OwnSurroundings extends EventEmitter implements Surroundings {
  readonly env: NodeJS.ProcessEnv;
  readonly stdin = new PassThrough();
  readonly stdout = new PassThrough({ encoding: 'utf8' });
  readonly stderr = new PassThrough({ encoding: 'utf8' });
  exitCode?: number | string | null | undefined;

  constructor(variables: Variables) {
    super();
    this.env = surroundings(variables);
  }
}

/**
 * Runs a command of the operator to its end, within this process, because one of its own takes half a second of CPU
 * to start. Options that have a variable of their own are to be given as options.
 */
export async function dealkeep(args: readonly string[], variables: Variables, stdin = ''): Promise<Ended> {
  const own = new OwnSurroundings(variables);
  own.stdin.end(stdin);
  return runHere(args, own, hear(own));
}

async function runHere(
  args: readonly string[],
  own: OwnSurroundings,
  heard: () => { stdout: string; stderr: string },
): Promise<Ended> {
  await runCommand(args, own);
  return { code: Number(own.exitCode ?? 0), ...heard() };
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

/** A command that goes on until it is ended. */
export interface RunningCommand {
  /** Everything said so far. */
  heard(): { stdout: string; stderr: string };
  /** Waits until stdout matches; an error when the program ends before. */
  says(pattern: RegExp): Promise<string>;
  /** Sends a signal and waits for the end. */
  end(signal: 'SIGTERM' | 'SIGINT' | 'SIGHUP'): Promise<Ended>;
  ended: Promise<Ended>;
}

/** One in a process of its own, which can be killed, too. */
export interface RunningProgram extends RunningCommand {
  child: ChildProcess;
  end(signal: NodeJS.Signals): Promise<Ended>;
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
  const ended: Promise<Ended> = once(child, 'close').then(([code]) => ({ code, ...heard() }));
  const end = (signal: NodeJS.Signals): Promise<Ended> => {
    child.kill(signal);
    return ended;
  };
  afterwards(async () => {
    if (child.exitCode === null && child.signalCode === null) await end('SIGTERM');
  });
  return { child, heard, says: saying(args, { stdout: child.stdout, heard, ended }), end, ended };
}

/**
 * The same within this process, where nothing is promised of a process: its own takes a second of CPU. It reads no
 * variables but those that are given to it, and hears no signals but by `end`.
 */
export function startCommandHere(args: readonly string[], variables: Variables): RunningCommand {
  const running = runningHere(args, variables);
  let isOver = false;
  running.ended.finally(() => {
    isOver = true;
  });
  afterwards(() => (isOver ? running.ended : running.end('SIGINT')));
  return running;
}

function runningHere(args: readonly string[], variables: Variables): RunningCommand {
  const own = new OwnSurroundings(variables);
  const heard = hear(own);
  const ended = runHere(args, own, heard);
  const end: RunningCommand['end'] = (signal) => {
    own.emit(signal);
    return ended;
  };
  return { heard, says: saying(args, { stdout: own.stdout, heard, ended }), end, ended };
}

const saying =
  (
    args: readonly string[],
    { stdout, heard, ended }: Pick<RunningCommand, 'heard' | 'ended'> & { stdout: Readable },
  ): RunningCommand['says'] =>
  (pattern) =>
    new Promise<string>((resolve, reject) => {
      const look = () => {
        const found = pattern.exec(heard().stdout);
        if (found) resolve(found[1] ?? found[0]);
        return found !== null;
      };
      if (look()) return;
      stdout.on('data', look);
      ended.then((end) => {
        if (!look())
          reject(new Error(`dealkeep ${args[0]} ended with ${end.code}: ${end.stdout}${end.stderr}`));
      });
    });

/** Of the API, else of the console. */
const originPatterns = [/(http:\/\/[^\s"]+)\/api\/v1\/public/, /"console":"([^"]+)"/];

/** Starts the program in a process of its own, and waits until it is ready. */
export const startReady = (variables: Variables, by?: RunBy) =>
  ready(startProgram({ PORT: '0', ...variables }, by));

/** Starts the program within this process, and waits until it is ready. */
export const startReadyHere = (variables: Variables) =>
  ready(startCommandHere(['start'], { PORT: '0', ...variables }));

async function ready<Running extends RunningCommand>(
  running: Running,
): Promise<Running & { origin: string; port: string }> {
  await running.says(/Dealkeep is ready.*\n/);
  const { stdout } = running.heard();
  const origin = originPatterns.map((each) => each.exec(stdout)?.[1]).find(Boolean);
  return { ...running, origin: origin ?? '', port: origin ? new URL(origin).port : '' };
}

function hear(child: Pick<ChildProcess, 'stdout' | 'stderr'>): () => { stdout: string; stderr: string } {
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

/** A server that takes a port away, for as long as the test runs, and answers nobody. */
export async function takenPort(): Promise<string> {
  const { server, port } = await listenAnywhere();
  afterwards(async () => server.close());
  return port;
}

async function listenAnywhere(): Promise<{ server: Server; port: string }> {
  const server = createServer((socket) => socket.destroy()).listen(0, '127.0.0.1');
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
