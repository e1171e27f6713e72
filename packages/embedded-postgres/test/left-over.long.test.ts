import { chmod, readdir, readFile, writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import { describe, expect, test } from 'vitest';
import { begin, expectNoServer, newDataFolder, query, start, usedDataFolder, ways } from './starters.ts';

/** The number on the first line of `postmaster.pid`. */
async function serverPid(dataDir: string): Promise<number> {
  return Number((await readFile(join(dataDir, 'postgres', 'postmaster.pid'), 'utf8')).split('\n')[0]);
}

describe.each(ways)('$way', (way) => {
  test('a server whose starter was killed is adopted and stopped by the next one', async () => {
    const dataDir = await usedDataFolder(way);
    const killed = await start(way, dataDir);
    const pid = await serverPid(dataDir);
    await killed.kill();
    expect(await query(killed.url, 'select 1 as alive')).toEqual([{ alive: 1 }]);

    const next = await start(way, dataDir);
    expect(next).toMatchObject({ adopted: true, url: killed.url });
    expect(await serverPid(dataDir)).toBe(pid);
    await next.stop();
    await expectNoServer(next.url);
  });

  test('a killed server is reported, and the next start recovers what was committed', async () => {
    const dataDir = await usedDataFolder(way);
    const first = await start(way, dataDir);
    await query(first.url, 'create table leads as select generate_series(1, 1000) as id');
    process.kill(await serverPid(dataDir), 'SIGKILL');
    expect(await first.hear('exit')).toMatchObject({ stopped: false });
    await first.stop();

    const second = await start(way, dataDir);
    expect(second.adopted).toBe(false);
    expect(await query(second.url, 'select count(*)::int as leads from leads')).toEqual([{ leads: 1000 }]);
  });

  test('a server that was killed in the middle of a statement recovers, too', async () => {
    const dataDir = await usedDataFolder(way);
    const first = await start(way, dataDir);
    const busy = expect(query(first.url, 'select count(*) from generate_series(1, 1e10)')).rejects.toThrow();
    await expect.poll(() => query(first.url, running)).toHaveLength(1);
    process.kill(await serverPid(dataDir), 'SIGKILL');
    await first.kill();

    const second = await start(way, dataDir);
    expect(await query(second.url, 'select 1 as alive')).toEqual([{ alive: 1 }]);
    await busy;
  });

  test("a stale lock file that names another program's process does not keep the server from starting", async () => {
    const dataDir = await usedDataFolder(way);
    const first = await start(way, dataDir);
    const lockFile = join(dataDir, 'postgres', 'postmaster.pid');
    const lines = await readFile(lockFile, 'utf8');
    await first.stop();
    await writeFile(lockFile, lines.replace(/^\d+/, String(process.pid)));
    await chmod(lockFile, 0o666);

    expect((await start(way, dataDir)).adopted).toBe(false);
  });

  test('a first start that was cut off is made good by the next', async () => {
    const dataDir = await newDataFolder(way);
    const cutOff = await begin(way, dataDir);
    cutOff.first.catch(() => {});
    await expect
      .poll(() => readdir(dataDir), { interval: 5 })
      .toContainEqual(expect.stringMatching('postgres.new-'));
    await cutOff.kill();

    const { url } = await start(way, dataDir);
    expect(await query(url, 'select 1 as alive')).toEqual([{ alive: 1 }]);
    expect((await readdir(dataDir)).filter((name) => name.includes('new'))).toEqual([]);
  });

  test('Ctrl-C, which goes to the whole process group, does not end the server', async () => {
    const dataDir = await usedDataFolder(way);
    const starter = await start(way, dataDir);
    process.kill(-starter.pid, 'SIGINT');
    await starter.hear('interrupted');
    expect(await query(starter.url, 'select 1 as alive')).toEqual([{ alive: 1 }]);
    await starter.stop();
    await expectNoServer(starter.url);
  });
});

const running = `select 1 from pg_stat_activity where query like 'select count(*) from generate%' and state = 'active'`;
