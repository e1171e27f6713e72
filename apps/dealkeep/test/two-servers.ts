import { once } from 'node:events';
import { cp, rm, writeFile } from 'node:fs/promises';
import { type AddressInfo, connect, createServer, type Socket } from 'node:net';
import { join } from 'node:path';
import { migrate } from '@dealkeep/core';
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
  /** Nothing more comes to the standby. */
  endReplication(): Promise<void>;
  /** Ends the primary as a power cut does. */
  killPrimary(): Promise<void>;
  /** The standby becomes the one that takes writes. */
  promote(): Promise<void>;
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
  const settings = { ...throwawaySettings, wal_level: 'replica', max_wal_senders: 4, hot_standby: 'on' };
  const waiting = { synchronous_commit: 'on', synchronous_standby_names: '*' };
  const start = async (dataDir: string, port: number, more = {}): Promise<EmbeddedPostgres> => {
    const server = await startEmbeddedPostgres({ dataDir, port, settings: { ...settings, ...more } });
    ends.push(() => server.stop());
    return server;
  };
  const port = Number(await freePort());
  const maker = await start(first, port);
  await migrate(maker.url);
  await maker.stop();
  await cp(first, second, { recursive: true });
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
    async endReplication() {
      line.cut();
      const followers = () => primary`select from pg_stat_replication`;
      await eventually(async () => expect(await followers()).toEqual([]));
    },
    async killPrimary() {
      await primary.end({ timeout: 1 });
      process.kill((await postgresOf(first)) ?? Number.NaN, 'SIGKILL');
      await one.exited;
    },
    promote: async () => void (await standby`select pg_promote()`),
  };
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
