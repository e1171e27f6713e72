import { chmod, chown, lstat, mkdir, readdir, readFile, rm, stat, writeFile } from 'node:fs/promises';
import { basename, join } from 'node:path';
import { describe, expect, onTestFinished, test } from 'vitest';
import {
  asRoot,
  binariesPackage,
  copyPackage,
  newDataFolder,
  query,
  start,
  usedDataFolder,
  ways,
} from './starters.ts';

/** A copy of the package as it is where npm runs no install scripts. */
async function packageWithoutLinks(): Promise<{ folder: string; lib: string; links: string[] }> {
  const folder = await copyPackage();
  onTestFinished(() => rm(folder, { recursive: true }));
  const native = join(folder, 'node_modules', binariesPackage(), 'native');
  const lib = join(native, 'lib');
  const listed: { target: string }[] = JSON.parse(await readFile(join(native, 'pg-symlinks.json'), 'utf8'));
  const links = listed.map(({ target }) => basename(target));
  for (const link of links) await rm(join(lib, link), { force: true });
  return { folder, lib, links };
}

async function isLink(path: string): Promise<boolean> {
  return lstat(path).then(
    (entry) => entry.isSymbolicLink(),
    () => false,
  );
}

describe.each(ways)('$way', (way) => {
  test('links that no install script made are made in a package that may be written, else in a copy', async () => {
    const { folder, lib, links } = await packageWithoutLinks();
    const cache = join(folder, 'cache');
    await mkdir(cache);
    if (way.uid !== undefined) await chown(cache, way.uid, way.uid);
    if (process.getuid?.() !== 0) await chmod(lib, 0o555);
    onTestFinished(() => chmod(lib, 0o755));
    const { url } = await start(way, await newDataFolder(way), {
      from: folder,
      env: { XDG_CACHE_HOME: cache },
    });

    expect(await query(url, 'select 1 as alive')).toEqual([{ alive: 1 }]);
    const linked = way.uid === undefined && process.getuid?.() === 0 ? lib : await copiedLib(cache);
    for (const link of links) expect(await isLink(join(linked, link))).toBe(true);
  });

  test('data of another major version are refused and left alone', async () => {
    const dataDir = await usedDataFolder(way);
    await writeFile(join(dataDir, 'postgres', 'PG_VERSION'), '17\n');
    await expect(start(way, dataDir)).rejects.toThrow('was written by PostgreSQL 17');
    expect(await readFile(join(dataDir, 'postgres', 'PG_VERSION'), 'utf8')).toBe('17\n');
  });
});

describe.each(asRoot)('$way', (way) => {
  test('binaries and data that only root may enter serve nevertheless, the data where they are', async () => {
    const { folder } = await packageWithoutLinks();
    const cache = `${folder}-cache`;
    onTestFinished(() => rm(cache, { recursive: true }));
    await chmod(folder, 0o700);
    const dataDir = await newDataFolder(way);
    const { url } = await start(way, dataDir, { from: folder, env: { XDG_CACHE_HOME: cache } });

    expect(await query(url, 'select 1 as alive')).toEqual([{ alive: 1 }]);
    expect((await stat(join(dataDir, 'postgres', 'base'))).uid).not.toBe(0);
    expect(await isLink(join(await copiedLib(cache), 'libpq.so.5'))).toBe(true);
  });

  test('data that root has restored from a backup are given back to the server', async () => {
    const dataDir = await usedDataFolder(way);
    const cluster = join(dataDir, 'postgres');
    for (const entry of ['', ...(await readdir(cluster, { recursive: true }))])
      await chown(join(cluster, entry), 0, 0);
    const { url } = await start(way, dataDir);
    expect(await query(url, 'select 1 as alive')).toEqual([{ alive: 1 }]);
  });
});

async function copiedLib(cache: string): Promise<string> {
  const [copy] = await readdir(join(cache, 'dealkeep'));
  return join(cache, 'dealkeep', copy ?? '', 'native', 'lib');
}

test('npm runs no install script of the packages of any platform, and warns of none', async () => {
  const read = async (folder: string) =>
    JSON.parse(await readFile(join(import.meta.dirname, folder, 'package.json'), 'utf8'));
  const { optionalDependencies } = await read('..');
  const denied = Object.keys(optionalDependencies).map((name) => [name, false]);
  expect((await read('../../..')).allowScripts).toEqual(Object.fromEntries(denied));
});
