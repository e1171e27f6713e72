import { type ChildProcess, fork, spawn } from 'node:child_process';
import { once } from 'node:events';
import { readdir, readFile } from 'node:fs/promises';
import { createInterface } from 'node:readline';
import { setTimeout as sleep } from 'node:timers/promises';
import { fileURLToPath } from 'node:url';
import type { LoadOrder, LoadResult } from './load.ts';

export interface RunningProcess {
  pid: number;
  port: number;
  stop(): Promise<void>;
}

const pathOf = (relative: string): string => fileURLToPath(new URL(relative, import.meta.url));

export async function stop(child: ChildProcess): Promise<void> {
  if (child.exitCode !== null || child.signalCode !== null) return;
  child.kill('SIGTERM');
  await once(child, 'close');
}

/** A script that listens and writes its port in a line. */
export async function startListener(relative: string): Promise<RunningProcess> {
  const child = spawn(process.execPath, [pathOf(relative)], { stdio: ['ignore', 'pipe', 'inherit'] });
  const { value } = await createInterface(child.stdout)[Symbol.asyncIterator]().next();
  if (value === undefined) throw new Error(`${relative} did not start`);
  return { pid: child.pid ?? 0, port: Number(value), stop: () => stop(child) };
}

/** `dealkeep start` as in production, with these roles. */
export async function startRole(
  role: 'api' | 'worker' | 'api,console',
  port: number,
  environment: Readonly<Record<string, string>>,
): Promise<RunningProcess> {
  const child = spawn(process.execPath, [pathOf('../bin/dealkeep.js'), 'start'], {
    stdio: ['ignore', 'inherit', 'inherit'],
    env: { ...process.env, LOG_LEVEL: 'error', ROLES: role, PORT: String(port), ...environment },
  });
  if (role !== 'worker') await answers(`http://127.0.0.1:${port}/readyz`, child);
  return { pid: child.pid ?? 0, port, stop: () => stop(child) };
}

/** Waits until an address answers 2xx. */
export async function answers(url: string, child: ChildProcess): Promise<void> {
  while (child.exitCode === null) {
    const response = await fetch(url).catch(() => undefined);
    if (response?.ok) return;
    await sleep(50);
  }
  throw new Error(`What was to answer ${url} ended; its message is above`);
}

export interface LoadGenerator {
  run(order: LoadOrder): Promise<LoadResult>;
  stop(): void;
}

/** @param autocannon the public generator instead of our own */
export function startLoadGenerator({ autocannon = false } = {}): LoadGenerator {
  const child = fork(pathOf(autocannon ? './load-by-autocannon.ts' : './load.ts'));
  const lost = once(child, 'close').then(() => {
    throw new Error('The load generator ended; its message is above');
  });
  return {
    async run(order) {
      const answered = once(child, 'message');
      child.send(order);
      const [result] = await Promise.race([answered, lost]);
      return result;
    },
    stop() {
      lost.catch(() => {});
      child.disconnect();
    },
  };
}

const ticksPerSecond = 100;

/** Seconds of CPU that a process has used; undefined where there is no /proc. */
export async function cpuSeconds(pid: number): Promise<number | undefined> {
  const fields = await statOf(pid);
  return fields ? (Number(fields[11]) + Number(fields[12])) / ticksPerSecond : undefined;
}

/** Seconds of CPU that a process has used with its children, those that have ended, too. */
export async function cpuSecondsOfFamily(pid: number): Promise<number | undefined> {
  const pids = (await readdir('/proc').catch(() => [])).map(Number).filter((each) => each > 1);
  const stats = await Promise.all(pids.map(async (each) => ({ pid: each, fields: await statOf(each) })));
  let ticks = 0;
  for (const { pid: each, fields = [] } of stats) {
    const [own, ended] = [Number(fields[11]) + Number(fields[12]), Number(fields[13]) + Number(fields[14])];
    if (each === pid) ticks += own + ended;
    else if (Number(fields[1]) === pid) ticks += own;
  }
  return ticks === 0 ? undefined : ticks / ticksPerSecond;
}

/** The process that started another one; undefined where there is no /proc. */
export async function parentOf(pid: number): Promise<number | undefined> {
  const fields = await statOf(pid);
  return fields && Number(fields[1]);
}

/** What /proc says of a process, behind its name. */
async function statOf(pid: number): Promise<string[] | undefined> {
  const text = await readFile(`/proc/${pid}/stat`, 'utf8').catch(() => undefined);
  return text?.slice(text.lastIndexOf(')') + 2).split(' ');
}

/** The most memory that a process has had, in MB; undefined where there is no /proc. */
export const peakMemoryMb = (pid: number): Promise<number | undefined> => statusMb(pid, 'VmHWM');

/** The memory that a process has, in MB; undefined where there is no /proc. */
export const memoryMb = (pid: number): Promise<number | undefined> => statusMb(pid, 'VmRSS');

async function statusMb(pid: number, field: string): Promise<number | undefined> {
  const text = await readFile(`/proc/${pid}/status`, 'utf8').catch(() => undefined);
  const kilobytes = new RegExp(`${field}:\\s+(\\d+)`).exec(text ?? '')?.[1];
  return kilobytes === undefined ? undefined : Number(kilobytes) / 1024;
}
