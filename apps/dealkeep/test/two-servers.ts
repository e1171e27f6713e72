import { cp, rm, writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import { migrate } from '@dealkeep/core';
import {
  type EmbeddedPostgres,
  startEmbeddedPostgres,
  throwawayFolder,
  throwawaySettings,
} from '@dealkeep/embedded-postgres';
import postgres from 'postgres';
import { onTestFinished } from 'vitest';
import { freePort, postgresOf } from './program.ts';

/** A PostgreSQL that takes writes, and one that follows it by streaming replication. */
export interface TwoServers {
  /** Names both, the standby first. */
  url: string;
  primary: postgres.Sql;
  standby: postgres.Sql;
  /** Ends the primary as a power cut does. */
  killPrimary(): Promise<void>;
  /** The standby becomes the one that takes writes. */
  promote(): Promise<void>;
}

/** Starts both with a migrated database, until the test ends. */
export async function startTwoServers(): Promise<TwoServers> {
  const folder = await throwawayFolder();
  const ends: (() => Promise<unknown>)[] = [() => rm(folder, { recursive: true, force: true })];
  onTestFinished(async () => {
    for (const end of ends.reverse()) await end();
  });
  const [first, second] = [join(folder, 'first'), join(folder, 'second')];
  const settings = { ...throwawaySettings, wal_level: 'replica', max_wal_senders: 4, hot_standby: 'on' };
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

  const one = await start(first, port);
  const { username, password } = new URL(one.url);
  const upstream = `host=127.0.0.1 port=${port} user=${username} password=${password}`;
  const two = await start(second, Number(await freePort()), { primary_conninfo: upstream });
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
    async killPrimary() {
      await primary.end({ timeout: 1 });
      process.kill((await postgresOf(first)) ?? Number.NaN, 'SIGKILL');
      await one.exited;
    },
    promote: async () => void (await standby`select pg_promote()`),
  };
}
