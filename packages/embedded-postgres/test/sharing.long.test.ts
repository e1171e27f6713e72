import { writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import { describe, expect, test } from 'vitest';
import { runningEmbeddedPostgres } from '../src/index.ts';
import { expectNoServer, newDataFolder, query, start, usedDataFolder, ways } from './starters.ts';

describe.each(ways)('$way', (way) => {
  test('starters at once share one server, and the last to leave ends it', async () => {
    const dataDir = await newDataFolder(way);
    const starters = await Promise.all([start(way, dataDir), start(way, dataDir), start(way, dataDir)]);
    expect(new Set(starters.map(({ url }) => url)).size).toBe(1);
    expect(starters.filter(({ adopted }) => !adopted)).toHaveLength(1);

    const [first, second, third] = starters;
    await first.stop();
    await second.kill();
    expect(await query(third.url, 'select 1 as alive')).toEqual([{ alive: 1 }]);
    await third.stop();
    await expectNoServer(third.url);
  });

  test('the address of the running server is known to others, and only while it runs', async () => {
    const dataDir = await usedDataFolder(way);
    expect(await runningEmbeddedPostgres(dataDir)).toBeUndefined();
    const starter = await start(way, dataDir);
    expect(await runningEmbeddedPostgres(dataDir)).toBe(starter.url);
    await starter.stop();
    expect(await runningEmbeddedPostgres(dataDir)).toBeUndefined();
  });

  test('a server that may run on another machine is not started a second time', async () => {
    const dataDir = await usedDataFolder(way);
    const first = await start(way, dataDir);
    // What a container sees of a server in another one: a number that means nothing here.
    await writeFile(join(dataDir, 'postgres', 'postmaster.pid'), '4194304\n');
    await expect(start(way, dataDir)).rejects.toThrow('in use by another process');
    expect(await query(first.url, 'select 1 as alive')).toEqual([{ alive: 1 }]);
  });
});
