import { once } from 'node:events';
import { connect as connectSocket } from 'node:net';
import { setTimeout as sleep } from 'node:timers/promises';
import { type BenchOrganization, fillOrganization, wire } from './business.ts';
import { type Figure, figure } from './figures.ts';
import { memoryMb, type RunningProcess, startRole } from './processes.ts';
import type { Bench } from './ratios.ts';

const readers = 2000;
/** Each in a process that has just started, because what a process once took it seldom gives back. */
const runs = 3;
/** A little more than they wait for at most. */
const roundMs = 24_000;

/**
 * What an API process needs more when 2,000 readers wait for events, each on a connection of its own: while they
 * wait, and after all of them were told of something at once and wait anew.
 */
export async function measureWaitingReaders({ url, sql, say }: Omit<Bench, 'load'>): Promise<Figure> {
  const business = await fillOrganization(sql, 'waiting', 10);
  const needed: number[] = [];
  const notes: string[] = [];
  for (let run = 1; run <= runs; run += 1) {
    say(`Run ${run} of ${runs} with ${readers} waiting readers …`);
    const api = await startRole('api', 4714, {
      DATABASE_URL: url,
      SECRETS_KEY: Buffer.alloc(32, 7).toString('base64'),
    });
    const cursor = await cursorOf(api, business);
    const before = (await memoryMb(api.pid)) ?? Number.NaN;
    const crowd = await Crowd.ask(api.port, wire('GET', `/events?wait=20&cursor=${cursor}`, business.key));
    const waiting = await mostOfARound(api);
    await crowd.tellAll(() => createCompany(api, business));
    const anew = await mostOfARound(api);
    needed.push(Math.max(waiting, anew) - before);
    notes.push([before, waiting, anew].map((value) => value.toFixed(0)).join(' → '));
    crowd.askNoMore();
    await api.stop();
  }
  return figure(`${readers} waiting readers, resident memory beyond that of nobody`, Math.max(...needed), {
    unit: 'MB',
    rule: 'at most',
    goal: 150,
    note: `nobody → all wait → all were told and wait anew: ${notes.join('; ')} MB`,
  });
}

/**
 * The most memory that a process has while everybody who waits is answered once by the end of the time, and asks
 * anew.
 */
async function mostOfARound({ pid }: RunningProcess): Promise<number> {
  let most = 0;
  for (const end = performance.now() + roundMs; performance.now() < end; await sleep(250)) {
    most = Math.max(most, (await memoryMb(pid)) ?? Number.NaN);
  }
  return most;
}

/** Connections that ask the same, and again as soon as they are answered. */
class Crowd {
  #asks = true;
  #told = 0;
  #all = Promise.withResolvers<void>();

  static async ask(port: number, request: string): Promise<Crowd> {
    const crowd = new Crowd();
    for (let number = 0; number < readers; number += 1) {
      const socket = connectSocket(port, '127.0.0.1');
      await once(socket, 'connect');
      socket.on('data', (bytes) => {
        const text = bytes.toString('latin1');
        if (!text.startsWith('HTTP/1.1 200')) throw new Error(`A reader was answered: ${text}`);
        if (!text.includes('"data":[]')) crowd.#count();
        if (crowd.#asks) socket.write(request);
      });
      socket.write(request);
    }
    return crowd;
  }

  /** Resolves when everybody was told of what happens here. */
  async tellAll(happen: () => Promise<void>): Promise<void> {
    this.#told = 0;
    this.#all = Promise.withResolvers();
    await happen();
    await this.#all.promise;
  }

  /** Their connections end with the process. */
  askNoMore(): void {
    this.#asks = false;
  }

  #count(): void {
    this.#told += 1;
    if (this.#told === readers) this.#all.resolve();
  }
}

const rootOf = ({ port }: RunningProcess): string => `http://127.0.0.1:${port}/api/v1/public`;

/** Behind all that there is. */
async function cursorOf(api: RunningProcess, { key }: BenchOrganization): Promise<string> {
  for (let cursor = ''; ; ) {
    const response = await fetch(`${rootOf(api)}/events?limit=100${cursor && `&cursor=${cursor}`}`, {
      headers: { Authorization: `Bearer ${key}` },
    });
    const page = (await response.json()) as { data: unknown[]; next_cursor: string; has_more: boolean };
    if (page.data.length === 0 && !page.has_more) return page.next_cursor;
    cursor = page.next_cursor;
  }
}

async function createCompany(api: RunningProcess, { key }: BenchOrganization): Promise<void> {
  const response = await fetch(`${rootOf(api)}/companies`, {
    method: 'POST',
    headers: { Authorization: `Bearer ${key}`, 'Content-Type': 'application/json' },
    body: '{"name":"Tatra"}',
  });
  if (response.status !== 201) throw new Error(`No company: ${await response.text()}`);
}
