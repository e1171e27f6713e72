import { createReadStream, rmSync } from 'node:fs';
import { access, open, rename, rm } from 'node:fs/promises';
import { dirname } from 'node:path';
import type { Readable, Writable } from 'node:stream';
import { finished } from 'node:stream/promises';
import { troubleOfFile } from '../../foundations/file-trouble.ts';
import { OperatorError } from '../../foundations/operator.ts';

/** What a file that is being written is called until it is whole. */
export const partOf = (file: string): string => `${file}.part`;

/**
 * Has a backup written to a file that nobody else may read, and that is there when it is whole and not before: until
 * then it is FILE.part, which goes when something fails. Raises OperatorError for a file that is there already, and
 * for one that cannot be written.
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
  const writing = async (): Promise<Result> => {
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
  };
  return sayingWhyOfFile(`"${part}"`, writing, '; nothing is kept of this try');
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

/**
 * Does something with a file. Raises OperatorError, with what to do about it, for what a system says of files.
 *
 * @param whenFull goes on from the reason where there was no room
 */
export async function sayingWhyOfFile<Result>(
  what: string,
  work: () => Promise<Result>,
  whenFull = '',
): Promise<Result> {
  try {
    return await work();
  } catch (error) {
    const trouble = troubleOfFile(error);
    if (!trouble) throw error;
    throw new OperatorError(`${what} ${trouble.reason}${trouble.isFull ? whenFull : ''}`);
  }
}
