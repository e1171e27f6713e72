import { once } from 'node:events';
import { lchown, lstat, readdir, readFile, stat } from 'node:fs/promises';
import { createServer } from 'node:net';
import { join } from 'node:path';
import { describe, expect, onTestFinished, test } from 'vitest';
import { asRoot, expectNoServer, newDataFolder, query, start, usedDataFolder, ways } from './starters.ts';

describe.each(ways)('$way', (way) => {
  test('the first start makes a UTF-8 database that only this machine and the password open', async () => {
    const dataDir = await newDataFolder(way);
    const { url, adopted } = await start(way, dataDir);

    expect(adopted).toBe(false);
    const [database] = await query(
      url,
      `select datname, pg_encoding_to_char(encoding) encoding, datlocprovider, datlocale, upper('žltý kôň') upper,
        current_setting('listen_addresses') addresses, current_setting('unix_socket_directories') sockets
      from pg_database where datname = current_database()`,
    );
    expect(database).toEqual({
      datname: 'dealkeep',
      encoding: 'UTF8',
      datlocprovider: 'b',
      datlocale: 'C.UTF-8',
      upper: 'ŽLTÝ KÔŇ',
      addresses: '127.0.0.1',
      sockets: '',
    });
    const { mode } = await stat(join(dataDir, 'postgres.password'));
    expect(mode & 0o777).toBe(0o600);
    const wrong = new URL(url);
    wrong.password = 'wrong';
    await expect(query(wrong.href, 'select 1')).rejects.toThrow('password authentication failed');
  });

  test('a later start finds the data', async () => {
    const dataDir = await usedDataFolder(way);
    const first = await start(way, dataDir);
    await query(first.url, `create table companies as select 'Žltý kôň' as name`);
    await first.stop();
    await expectNoServer(first.url);

    const second = await start(way, dataDir);
    expect(second.adopted).toBe(false);
    expect(await query(second.url, 'select name from companies')).toEqual([{ name: 'Žltý kôň' }]);
  });

  test('stopping rolls back what is open, and leaves nothing to recover', async () => {
    const dataDir = await usedDataFolder(way);
    const first = await start(way, dataDir);
    const sleeping = expect(query(first.url, 'select pg_sleep(600)')).rejects.toThrow();
    await expect.poll(() => query(first.url, sleepers)).toHaveLength(1);
    await first.stop();
    await sleeping;

    await start(way, dataDir);
    const log = await readFile(join(dataDir, 'postgres.log'), 'utf8');
    expect(log).toContain('database system is shut down');
    expect(log).not.toContain('not properly shut down');
  });

  test('neither PostgreSQL variables nor a locale that the machine lacks change anything', async () => {
    const dataDir = await newDataFolder(way);
    const env = {
      LC_ALL: 'sk_SK.ISO-8859-2',
      LANG: 'xx',
      PGDATA: '/nowhere',
      PGPORT: '1',
      PGUSER: 'x',
      TZ: 'x',
    };
    const { url } = await start(way, dataDir, { env });
    expect(await query(url, 'show timezone')).toEqual([{ TimeZone: 'UTC' }]);
  });

  test('a wanted port that is taken is named in the error', async () => {
    const taken = createServer().listen(0, '127.0.0.1');
    onTestFinished(() => void taken.close());
    await once(taken, 'listening');
    const address = taken.address();
    const port = typeof address === 'object' && address ? address.port : 0;
    const dataDir = await usedDataFolder(way);
    await expect(start(way, dataDir, { port })).rejects.toThrow(`port ${port}`);
    expect((await start(way, dataDir)).port).not.toBe(port);
  });
});

const sleepers = `select 1 from pg_stat_activity where query like 'select pg_sleep%' and state = 'active'`;

describe.each(asRoot)('$way', (way) => {
  const userOf = async (dataDir: string): Promise<number> => {
    const [pid] = (await readFile(join(dataDir, 'postgres', 'postmaster.pid'), 'utf8')).split('\n');
    return (await stat(`/proc/${pid}`)).uid;
  };
  const ownersOf = async (cluster: string): Promise<Set<number>> => {
    const all = ['', ...(await readdir(cluster, { recursive: true }))];
    return new Set(await Promise.all(all.map(async (entry) => (await lstat(join(cluster, entry))).uid)));
  };

  test('the server and its files have a user of their own, from the first start on', async () => {
    const dataDir = await newDataFolder(way);
    const first = await start(way, dataDir);
    const user = await userOf(dataDir);
    expect([0, 65_534]).not.toContain(user);
    expect(await ownersOf(join(dataDir, 'postgres'))).toEqual(new Set([user]));
    await first.stop();
    await start(way, dataDir);
    expect(await userOf(dataDir)).toBe(user);
  });

  test('data of nobody, as before, are given to it, and are all there', async () => {
    const dataDir = await usedDataFolder(way);
    const first = await start(way, dataDir);
    await query(first.url, 'create table companies as select 1 as number');
    await first.stop();
    const cluster = join(dataDir, 'postgres');
    for (const entry of ['', ...(await readdir(cluster, { recursive: true }))])
      await lchown(join(cluster, entry), 65_534, 65_534);
    const { url } = await start(way, dataDir);
    expect(await query(url, 'select number from companies')).toEqual([{ number: 1 }]);
    expect(await userOf(dataDir)).not.toBe(65_534);
    expect(await ownersOf(cluster)).toEqual(new Set([await userOf(dataDir)]));
  });
});
