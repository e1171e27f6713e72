import { mkdir, stat } from 'node:fs/promises';
import { dirname } from 'node:path';

/**
 * Creates a folder with all that is missing above it. Answers whether it was missing. Raises the error of the
 * system, with the path of the first folder that cannot be had: EEXIST where that is a file, ENOENT where the one
 * above takes no folders.
 *
 * Not by `recursive` of Node, which tries forever, and with a processor of its own, where the one above takes none,
 * as /proc.
 */
export async function makeFolder(path: string, mode = 0o777): Promise<boolean> {
  try {
    return await makeOne(path, mode);
  } catch (error) {
    const isAboveMissing = error instanceof Error && 'code' in error && error.code === 'ENOENT';
    if (!isAboveMissing || dirname(path) === path) throw error;
    await makeFolder(dirname(path), mode);
    return makeOne(path, mode);
  }
}

async function makeOne(path: string, mode: number): Promise<boolean> {
  try {
    await mkdir(path, { mode });
    return true;
  } catch (error) {
    const found = await stat(path).catch(() => undefined);
    if (found?.isDirectory()) return false;
    throw error;
  }
}
