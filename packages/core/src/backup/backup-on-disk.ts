import { createReadStream, rmSync } from 'node:fs';
import { access, open, rename, rm } from 'node:fs/promises';
import { dirname } from 'node:path';
import type { Readable, Writable } from 'node:stream';
import { finished } from 'node:stream/promises';
import { OperatorError } from '../operator.ts';

/** What a file that is being written is called until it is whole. */
export const partOf = (file: string): string => `${file}.part`;

/**
 * Has a backup written to a file that nobody else may read, and that is there when it is whole and not before: until
 * then it is FILE.part, which goes when something fails. Raises OperatorError for a file that is there already, and for
 * one that cannot be written.
 *
 * @param check looks at what was written before it gets its name
 */
export async function writingBackup<Result>(
  file: string,
  write: (out: Writable) => Promise<Result>,
  check: (part: string) => Promise<unknown> = async () => {},
): Promise<Result> {
  if (await isThere(file)) throw new OperatorError(`The file "${file}" is there already: name another one`);
  const folder = dirname(file);
  if (!(await isThere(folder))) {
    throw new OperatorError(`The folder "${folder}" is not there: make it, or name another one`);
  }
  const part = partOf(file);
  return sayingWhyOfFile(`"${part}"`, async () => {
    const handle = await open(part, 'wx', 0o600);
    // A signal ends the process before anything else could remove it.
    const remove = (): void => rmSync(part, { force: true });
    process.once('exit', remove);
    try {
      const out = handle.createWriteStream({ flush: true });
      const result = await write(out);
      await finished(out);
      await check(part);
      await rename(part, file);
      await keepName(file);
      return result;
    } catch (error) {
      await rm(part, { force: true });
      throw error;
    } finally {
      process.off('exit', remove);
    }
  });
}

/** The new name outlives a power cut when its folder is written; not every system can do that. */
async function keepName(file: string): Promise<void> {
  const folder = await open(dirname(file), 'r').catch(() => undefined);
  await folder?.sync().catch(() => {});
  await folder?.close();
}

/**
 * Has a backup read from a file. Raises OperatorError where it cannot be read.
 *
 * @param signal ends it before it is over
 */
export function readingBackup<Result>(
  file: string,
  read: (source: Readable) => Promise<Result>,
  signal?: AbortSignal,
): Promise<Result> {
  return sayingWhyOfFile(`"${file}"`, async () => {
    const source = createReadStream(file, { highWaterMark: 256 * 1024, ...(signal ? { signal } : {}) });
    try {
      return await read(source);
    } finally {
      source.destroy();
    }
  });
}

const isThere = (file: string): Promise<boolean> =>
  access(file).then(
    () => true,
    () => false,
  );

/** What a system says of files, and what an operator does about it. */
const reasons: Readonly<Record<string, string>> = {
  ENOSPC: 'has no room: make room on its disk, or name a file on another one; nothing is kept of this try',
  EDQUOT: 'has no room: the quota of this user is used up; nothing is kept of this try',
  EFBIG: 'is larger than this user, or its file system, may have files; nothing is kept of this try',
  EROFS: 'stands on a file system that takes no writes: name another one',
  EEXIST: 'is there: another backup writes it at this moment, or one was cut off; then remove it',
  ENOENT: 'is not there: check its name, and its folder',
  ENOTDIR: 'is not there: a part of its path is no folder',
  EISDIR: 'is a folder: name a file',
  EACCES: 'is not for this user: give it the right, or name another one',
  EPERM: 'is not for this user: give it the right, or name another one',
  EIO: 'cannot be read or written: the disk fails',
  EPIPE: 'was closed before all was written',
};

/** Does something with a file. Raises OperatorError, with what to do about it, for what a system says of files. */
export async function sayingWhyOfFile<Result>(what: string, work: () => Promise<Result>): Promise<Result> {
  try {
    return await work();
  } catch (error) {
    const code = error instanceof Error && 'code' in error ? String(error.code) : '';
    // Connections to a database fail with names of this kind, too; those of files say on which call.
    const ofFile = error instanceof Error && 'syscall' in error && fileCalls.has(String(error.syscall));
    const reason = ofFile ? reasons[code] : undefined;
    throw reason === undefined ? error : new OperatorError(`${what} ${reason}`);
  }
}

const fileCalls = new Set([
  'access',
  'open',
  'read',
  'write',
  'fsync',
  'rename',
  'close',
  'scandir',
  'unlink',
]);
