import { chown, lchown, mkdir, readdir, realpath, stat } from 'node:fs/promises';
import { dirname, join, resolve } from 'node:path';
import { ignoreMissing } from './data-folder.ts';

/** `nobody` wherever it exists; PostgreSQL refuses to run as root. */
const nobody = 65_534;

/** Whom the server runs as; without numbers, as this process. */
export interface ServerUser {
  uid?: number;
  gid?: number;
}

/**
 * As root: the data's owner, so that what an ordinary user began stays his; `nobody` where root owns it.
 */
export async function chooseServerUser(root: string, cluster: string): Promise<ServerUser> {
  if (process.getuid?.() !== 0) return {};
  for (const path of [cluster, root]) {
    const owner = await stat(path).catch(ignoreMissing);
    if (owner && owner.uid !== 0) return { uid: owner.uid, gid: owner.gid };
  }
  return { uid: nobody, gid: nobody };
}

/** Whether `user` may enter all folders above `path` and `path` itself; permission bits only. */
export async function canReach(user: ServerUser, path: string): Promise<boolean> {
  if (user.uid === undefined) return true;
  for (let at = await realpath(path); ; at = dirname(at)) {
    if (!(await permits(user, at, 1))) return false;
    if (at === dirname(at)) return true;
  }
}

/** Whether `user` has all bits (4 read, 2 write, 1 execute) on `path` itself. */
export async function permits(user: ServerUser, path: string, bits: number): Promise<boolean> {
  if (user.uid === undefined) return true;
  const { uid, gid, mode } = await stat(path);
  const shift = uid === user.uid ? 6 : gid === user.gid ? 3 : 0;
  return ((mode >> shift) & bits) === bits;
}

/**
 * How the server itself names a folder that it is started in. A project below /root cannot be entered by
 * `nobody`, but a working directory can be inherited, and Linux offers it under a name of its own: so the
 * data stay in the folder where the operator looks for them.
 */
export async function nameWithin(user: ServerUser, folder: string): Promise<string> {
  if (await canReach(user, folder)) return folder;
  if (process.platform === 'linux') return '/proc/self/cwd';
  throw new Error(
    `PostgreSQL cannot run as root, and the user ${user.uid} cannot enter ${folder}: choose another DATA_DIR`,
  );
}

/** Makes a private folder of the server's user. */
export async function makeOwnFolder(user: ServerUser, path: string): Promise<string> {
  await mkdir(path, { mode: 0o700 });
  await giveTo(user, path);
  return path;
}

export async function giveTo(user: ServerUser, path: string): Promise<void> {
  if (user.uid !== undefined && user.gid !== undefined) await chown(path, user.uid, user.gid);
}

/** Data restored by root from a backup belong to root; the server accepts its own only. */
export async function giveAllTo(user: ServerUser, folder: string): Promise<void> {
  const { uid, gid } = user;
  if (uid === undefined || gid === undefined || (await stat(folder)).uid === uid) return;
  for (const entry of await readdir(folder, { recursive: true })) await lchown(join(folder, entry), uid, gid);
  await chown(resolve(folder), uid, gid);
}
