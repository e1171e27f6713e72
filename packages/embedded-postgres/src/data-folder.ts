import { createHash, randomBytes } from 'node:crypto';
import { access, constants, readFile, realpath, writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import { makeFolder } from './make-folder.ts';

/** The one role of the embedded server, its superuser. */
export const roleName = 'dealkeep';

/** Where everything of one embedded server lies; all paths are absolute. */
export interface DataFolder {
  root: string;
  /** PostgreSQL's own data directory. */
  cluster: string;
  log: string;
  password: string;
  /**
   * Stands in the server's arguments and is derived from the generated password, so that a process found
   * under a number from `postmaster.pid` is known to be this folder's server and no other program.
   */
  mark: string;
}

/**
 * Makes the folder where it is missing, and gives its real path. Raises the system's error where this user may not
 * write.
 */
export async function makeDataFolder(path: string): Promise<string> {
  await makeFolder(path);
  const root = await realpath(path);
  await access(root, constants.R_OK | constants.W_OK | constants.X_OK);
  return root;
}

/** Makes the password where it is missing: so only one process at a time may call it. */
export async function openDataFolder(root: string): Promise<DataFolder> {
  return describe(root, (await readPassword(root)) ?? (await generatePassword(root)));
}

/** The folder as it is; undefined where no embedded server was ever started. */
export async function existingDataFolder(path: string): Promise<DataFolder | undefined> {
  const root = await realpath(path).catch(ignoreMissing);
  const password = root && (await readPassword(root));
  return root && password ? describe(root, password) : undefined;
}

/** Undefined for a file that is not there; any other error is raised, a missing permission in words. */
export function ignoreMissing(error: unknown): undefined {
  if (!(error instanceof Error && 'code' in error)) throw error;
  if (error.code === 'ENOENT') return undefined;
  if (error.code !== 'EACCES') throw error;
  throw new Error(`${error.message}: the data belong to another user, start as that user`, { cause: error });
}

function describe(root: string, password: string): DataFolder {
  return {
    root,
    cluster: join(root, 'postgres'),
    log: join(root, 'postgres.log'),
    password,
    mark: `dealkeep-${createHash('sha256').update(password).digest('hex').slice(0, 16)}`,
  };
}

async function readPassword(root: string): Promise<string | undefined> {
  const text = await readFile(passwordFile(root), 'utf8').catch(ignoreMissing);
  return text?.trim() || undefined;
}

async function generatePassword(root: string): Promise<string> {
  const cluster = join(root, 'postgres');
  const version = await readFile(join(cluster, 'PG_VERSION'), 'utf8').catch(ignoreMissing);
  if (version) throw new Error(`${passwordFile(root)} is missing: restore it together with ${cluster}`);
  const password = randomBytes(32).toString('base64url');
  await writeFile(passwordFile(root), `${password}\n`, { mode: 0o600 });
  return password;
}

function passwordFile(root: string): string {
  return join(root, 'postgres.password');
}
