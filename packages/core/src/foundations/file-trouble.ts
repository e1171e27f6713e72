/** Why something cannot be done with a file or a folder. */
export interface FileTrouble {
  /** Which it is, where the system says so. */
  path: string | undefined;
  /** Goes on from its name: what is wrong, and what an operator does about it. */
  reason: string;
  /** There is no room; it passes when somebody makes some. */
  isFull: boolean;
  /** No further try changes it. */
  isLasting: boolean;
}

const fullReasons: Readonly<Record<string, string>> = {
  ENOSPC: 'has no room: make room on its disk, or name one on another disk',
  EDQUOT: 'has no room: the quota of this user is used up',
  EFBIG: 'is larger than this user, or its file system, may have files',
};

const lastingReasons: Readonly<Record<string, string>> = {
  EROFS: 'stands on a file system that takes no writes: name another one',
  EEXIST: 'is there: another backup writes it at this moment, or one was cut off; then remove it',
  ENOENT: 'is not there: check its name, and its folder',
  ENOTDIR: 'is not there: a part of its path is no folder',
  EISDIR: 'is a folder: name a file',
  EACCES: 'is not for this user: give it the right, or name another one',
  EPERM: 'is not for this user: give it the right, or name another one',
  ELOOP: 'is a link that leads to itself: name another one',
  ENAMETOOLONG: 'has too long a name: name another one',
};

const passingReasons: Readonly<Record<string, string>> = {
  EIO: 'cannot be read or written: the disk fails',
  EPIPE: 'was closed before all was written',
};

/** What is other when a folder is to be created. */
const folderReasons: Readonly<Record<string, string>> = {
  EEXIST: 'is a file: name a folder',
  ENOENT: 'cannot be created: the folder above it takes no folders; name another one',
};

/** What an operator is told of an error of the file system; undefined for any other error. */
export function troubleOfFile(error: unknown): FileTrouble | undefined {
  if (!(error instanceof Error && 'code' in error && 'syscall' in error)) return undefined;
  const code = String(error.code);
  const call = String(error.syscall);
  const path = pathOf(error);
  // Connections and programs fail with names of this kind, too.
  if (!fileCalls.has(call) && path === undefined) return undefined;
  if (call === 'connect' || call.startsWith('spawn')) return undefined;
  const lasting = (call === 'mkdir' ? folderReasons[code] : undefined) ?? lastingReasons[code];
  const reason = lasting ?? fullReasons[code] ?? passingReasons[code];
  if (reason === undefined) return undefined;
  return { path, reason, isFull: code in fullReasons, isLasting: lasting !== undefined };
}

/** Of a copy, the one that is written. */
function pathOf(error: Error): string | undefined {
  if ('dest' in error && typeof error.dest === 'string') return error.dest;
  return 'path' in error && typeof error.path === 'string' ? error.path : undefined;
}

/** Those that work on an open file name none. */
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
