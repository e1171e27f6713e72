import { once } from 'node:events';
import { rmSync } from 'node:fs';
import { cp, rm, writeFile } from 'node:fs/promises';
import { type AddressInfo, connect, createServer, type Socket } from 'node:net';
import { join } from 'node:path';
import { migrate } from '@dealkeep/core/foundations';
import {
  type EmbeddedPostgres,
  startEmbeddedPostgres,
  throwawayFolder,
  throwawaySettings,
} from '@dealkeep/embedded-postgres';
import { eventually, freePort } from '@dealkeep/testing';
import postgres from 'postgres';
import { expect, onTestFinished } from 'vitest';
import { postgresOf } from './program.ts';

/** A PostgreSQL that takes writes, and one that follows it by streaming replication. */
export interface TwoServers {
  /** Names both, the standby first. */
  url: string;
  primary: postgres.Sql;
  standby: postgres.Sql;
  /** Resolves when the standby has all that is committed now, also where no commit waits for it, nor for a disk. */
  standbyHasAll(): Promise<void>;
  /** Nothing more comes to the standby. */
  endReplication(): Promise<void>;
  /** Ends the primary as a power cut does. */
  killPrimary(): Promise<void>;
  /** The standby becomes the one that takes writes. */
  promote(): Promise<void>;
}

const settings = { ...throwawaySettings, wal_level: 'replica', max_wal_senders: 4, hot_standby: 'on' };

let migrated: Promise<string> | undefined;

/**
 * The data of a server with a migrated database, which both have copies of; made once for the files of a test
 * process.
 */
async function makeMigrated(): Promise<string> {
  const dataDir = await throwawayFolder();
  process.once('exit', () => rmSync(dataDir, { recursive: true, force: true }));
  const server = await startEmbeddedPostgres({ dataDir, settings });
  await migrate(server.url);
  await server.stop();
  return dataDir;
}

/**
 * Starts both with a migrated database, until the test ends.
 *
 * @param isSynchronous a commit waits until the standby has it, unless it waits for no disk either
 */
export async function startTwoServers({ isSynchronous = false } = {}): Promise<TwoServers> {
  const folder = await throwawayFolder();
  const ends: (() => Promise<unknown>)[] = [() => rm(folder, { recursive: true, force: true })];
  onTestFinished(async () => {
    for (const end of ends.reverse()) await end();
  });
  const [first, second] = [join(folder, 'first'), join(folder, 'second')];
  const waiting = { synchronous_commit: 'on', synchronous_standby_names: '*' };
  const start = async (dataDir: string, port: number, more = {}): Promise<EmbeddedPostgres> => {
    const server = await startEmbeddedPostgres({ dataDir, port, settings: { ...settings, ...more } });
    ends.push(() => server.stop());
    return server;
  };
  const port = Number(await freePort());
  migrated ??= makeMigrated();
  for (const each of [first, second]) await cp(await migrated, each, { recursive: true });
  await writeFile(join(second, 'postgres', 'standby.signal'), '');
  const one = await start(first, port, isSynchronous ? waiting : {});
  const { username, password } = new URL(one.url);
  const line = await openLine(port);
  const upstream = `host=127.0.0.1 port=${line.port} user=${username} password=${password}`;
  const two = await start(second, Number(await freePort()), {
    ...(isSynchronous ? { synchronous_commit: 'on' } : {}),
    primary_conninfo: upstream,
  });
  const admin = (url: string): postgres.Sql => {
    const sql = postgres(url, { max: 1, onnotice: () => {} });
    ends.push(() => sql.end({ timeout: 1 }));
    return sql;
  };
  const [primary, standby] = [admin(one.url), admin(two.url)];
  return {
    url: two.url.replace(/@[^/]+/, (server) => `${server},127.0.0.1:${port}`),
    primary,
    standby,
    async standbyHasAll() {
      // What a commit has inserted. With `synchronous_commit = off` it is written out only afterwards.
      const [{ inserted } = {}] = await primary`select pg_current_wal_insert_lsn() as inserted`;
      await eventually(async () => {
        const [row] = await standby`select pg_last_wal_replay_lsn() >= ${inserted} as there`;
        expect(row).toEqual({ there: true });
      });
    },
    async endReplication() {
      line.cut();
      const followers = () => primary`select from pg_stat_replication`;
      await eventually(async () => expect(await followers()).toEqual([]));
    },
    async killPrimary() {
      const sessions = await primary<{ pid: number }[]>`select pid from pg_stat_activity`;
      await primary.end({ timeout: 1 });
      const postmaster = (await postgresOf(first)) ?? Number.NaN;
      // Sessions that outlive it for a moment would show what no standby has: a commit that waits for one ends its
      // wait then.
      process.kill(postmaster, 'SIGSTOP');
      for (const pid of [...sessions.map((each) => each.pid), postmaster]) killHard(pid);
      await one.exited;
    },
    promote: async () => void (await standby`select pg_promote()`),
  };
}

/** One that has ended already is no matter. */
function killHard(pid: number): void {
  try {
    process.kill(pid, 'SIGKILL');
  } catch (error) {
    if (!(error instanceof Error && 'code' in error && error.code === 'ESRCH')) throw error;
  }
}

/** The way from the standby to the primary, which can be cut for good. */
async function openLine(target: number): Promise<{ port: number; cut(): void }> {
  const sockets = new Set<Socket>();
  const server = createServer((near) => {
    const far = connect(target, '127.0.0.1');
    for (const [socket, other] of [
      [near, far],
      [far, near],
    ] as const) {
      sockets.add(socket);
      socket.pipe(other);
      socket.on('error', () => other.destroy()).on('close', () => sockets.delete(socket));
    }
  }).listen(0, '127.0.0.1');
  await once(server, 'listening');
  const cut = (): void => {
    server.close();
    for (const socket of sockets) socket.destroy();
  };
  onTestFinished(cut);
  const { port } = server.address() as AddressInfo;
  return { port, cut };
}
