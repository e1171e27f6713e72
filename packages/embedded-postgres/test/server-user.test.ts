import { chown, mkdir, readFile, rm, writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import { expect, onTestFinished, test } from 'vitest';
import { throwawayFolder } from '../src/index.ts';
import { chooseServerUser, giveAllTo } from '../src/server-user.ts';

const isRoot = process.getuid?.() === 0;
const asRootOnLinux = test.runIf(isRoot && process.platform === 'linux');
const nobody = 65_534;

/** A data folder of root's, with data of a user. */
async function folderOf({ root: rootOwner = 0, cluster: owner }: { root?: number; cluster?: number } = {}) {
  const root = await throwawayFolder();
  onTestFinished(() => rm(root, { recursive: true }));
  const cluster = join(root, 'postgres');
  if (owner !== undefined) {
    await mkdir(cluster);
    await writeFile(join(cluster, 'PG_VERSION'), '18\n');
    await giveAllTo({ uid: owner, gid: owner }, cluster);
  }
  await chown(root, rootOwner, rootOwner);
  return { root, cluster };
}

asRootOnLinux(
  'a server that root starts runs as a user that nothing else has, of its own in each folder (rule operator 43)',
  async () => {
    const one = await folderOf();
    const user = await chooseServerUser(one);
    expect(user.uid).toBeGreaterThanOrEqual(60_706);
    expect(user.uid).toBeLessThanOrEqual(61_183);
    expect(user.gid).toBe(user.uid);
    expect(await readFile('/etc/passwd', 'utf8')).not.toContain(`:${user.uid}:`);
    expect(await chooseServerUser(one), 'by the folder').toEqual(user);
    const others = await Promise.all(
      Array.from({ length: 5 }, async () => chooseServerUser(await folderOf())),
    );
    expect(new Set(others.map(({ uid }) => uid)).size).toBeGreaterThan(1);
  },
);

asRootOnLinux(
  'data keep their user, but for those that root’s server has as nobody (rule operator 43)',
  async () => {
    const uids = async (folder: { root?: number; cluster?: number }) =>
      (await chooseServerUser(await folderOf(folder))).uid;
    expect(await uids({ cluster: 60_800 }), 'of an earlier start').toBe(60_800);
    expect(await uids({ root: 1234, cluster: 1234 }), 'of an ordinary user').toBe(1234);
    expect(await uids({ root: nobody, cluster: nobody }), 'of somebody who is nobody').toBe(nobody);
    for (const cluster of [nobody, 0]) expect(await uids({ cluster }), String(cluster)).toBeLessThan(nobody);
  },
);
