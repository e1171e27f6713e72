import { lchown, mkdir, readdir, realpath, stat } from 'node:fs/promises';
import { dirname, join } from 'node:path';
import { ignoreMissing } from './data-folder.ts';

/** `nobody` wherever it exists; PostgreSQL refuses to run as root. */
const nobody = 65_534;

/** Whom the server runs as; without numbers, as this process. */
export interface ServerUser {
  uid?: number;
  gid?: number;
}

/** As root: the owner of the data, so that an ordinary user can go on with his; else `nobody`. */
export async function chooseServerUser(cluster: string): Promise<ServerUser> {
  if (process.getuid?.() !== 0) return {};
  const owner = await stat(cluster).catch(ignoreMissing);
  return owner && owner.uid !== 0 ? { uid: owner.uid, gid: owner.gid } : { uid: nobody, gid: nobody };
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
  if (user.uid === undefined || user.gid === undefined) return;
  await lchown(path, user.uid, user.gid).catch((cause: unknown) => {
    throw new Error(
      `PostgreSQL cannot run as root, and ${path} cannot be given to user ${user.uid}: start as an ordinary user, or set DATABASE_URL`,
      { cause },
    );
  });
}

/** Data restored by root from a backup belong to root; the server accepts its own only. */
export async function giveAllTo(user: ServerUser, folder: string): Promise<void> {
  if (user.uid === undefined || (await stat(folder)).uid === user.uid) return;
  for (const entry of await readdir(folder, { recursive: true })) await giveTo(user, join(folder, entry));
  await giveTo(user, folder);
}
