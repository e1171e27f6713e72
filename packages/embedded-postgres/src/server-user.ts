import { createHash, randomBytes } from 'node:crypto';
import { lchown, mkdir, readdir, readFile, realpath, rm, stat, writeFile } from 'node:fs/promises';
import { dirname, join } from 'node:path';
import { type DataFolder, ignoreMissing } from './data-folder.ts';

/** `nobody` wherever it exists; PostgreSQL refuses to run as root. */
const nobody = 65_534;

/** Whom the server runs as; without numbers, as this process. */
export interface ServerUser {
  uid?: number;
  gid?: number;
}

/**
 * As root: the owner of the data, so that an ordinary user can go on with his, and a server keeps the number that
 * was once chosen for it. Else a number that nothing on this machine has: programs that share `nobody` could read
 * the data, and end the server. `nobody` where no other can be had.
 */
export async function chooseServerUser({
  root,
  cluster,
}: Pick<DataFolder, 'root' | 'cluster'>): Promise<ServerUser> {
  if (process.getuid?.() !== 0) return {};
  const owner = await stat(cluster).catch(ignoreMissing);
  // A server of root has run as `nobody` in a folder of root's; in a folder of its own, somebody is `nobody`.
  const isOwn = owner && owner.uid !== 0 && (owner.uid !== nobody || (await stat(root)).uid === nobody);
  if (isOwn) return { uid: owner.uid, gid: owner.gid };
  return (await unusedUser(root)) ?? asNobody;
}

const asNobody: ServerUser = { uid: nobody, gid: nobody };

/** Numbers that neither people, services nor containers are given (systemd, UIDS-GIDS). */
const unused = { first: 60_706, last: 61_183 };

/** Begins with one that depends on the folder, so that servers of several folders have numbers of their own. */
async function unusedUser(root: string): Promise<ServerUser | undefined> {
  if (process.platform !== 'linux') return undefined;
  const taken = new Set([
    ...(await numbersIn('/etc/passwd')),
    ...(await numbersIn('/etc/group')),
    ...(await runningUsers()),
  ]);
  const count = unused.last - unused.first + 1;
  const begin = createHash('sha256').update(root).digest().readUInt32BE() % count;
  const numbers = Array.from({ length: count }, (_, index) => unused.first + ((begin + index) % count));
  const uid = numbers.find((number) => !taken.has(number));
  if (uid === undefined) return undefined;
  const user = { uid, gid: uid };
  return (await canBeGiven(root, user)) ? user : undefined;
}

async function numbersIn(file: string): Promise<number[]> {
  const text = (await readFile(file, 'utf8').catch(ignoreMissing)) ?? '';
  return text.split('\n').map((line) => Number(line.split(':')[2]));
}

/** Who has a process: a server of another folder, too, whose number no file of the system names. */
async function runningUsers(): Promise<number[]> {
  const processes = (await readdir('/proc')).filter((name) => /^\d+$/.test(name));
  const users = await Promise.all(processes.map((name) => stat(join('/proc', name)).catch(ignoreMissing)));
  return users.flatMap((each) => (each ? [each.uid] : []));
}

/** Whether files can be given to a user: not where a container maps few numbers, nor on every file system. */
async function canBeGiven(root: string, { uid, gid }: Required<ServerUser>): Promise<boolean> {
  const trial = join(root, `trial-${randomBytes(6).toString('hex')}`);
  await writeFile(trial, '', { mode: 0o600 });
  try {
    await lchown(trial, uid, gid);
    return true;
  } catch {
    // Where files can be given to nobody else, either, giving them says why.
    return false;
  } finally {
    await rm(trial);
  }
}

/** `initdb` looks its user up among those of the system, which one without a name is none of. */
export const userOfInitialization = (user: ServerUser): ServerUser =>
  user.uid !== undefined && user.uid >= unused.first && user.uid <= unused.last ? asNobody : user;

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
