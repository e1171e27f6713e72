import { randomBytes } from 'node:crypto';
import { readdir, readFile, rename, rm, writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import { type DataFolder, ignoreMissing, roleName } from './data-folder.ts';
import { DiskFull, runProgram, type Surroundings } from './server-process.ts';
import {
  giveAllTo,
  giveTo,
  makeOwnFolder,
  nameWithin,
  type ServerUser,
  userOfInitialization,
} from './server-user.ts';

const majorVersion = '18';
const unfinished = 'postgres.new-';

/** Whether the folder holds data; throws when they are of another major version. */
export async function hasCluster({ cluster }: DataFolder): Promise<boolean> {
  const version = await readFile(join(cluster, 'PG_VERSION'), 'utf8').catch(ignoreMissing);
  if (version && version.trim() !== majorVersion)
    throw new Error(
      `${cluster} was written by PostgreSQL ${version.trim()}, this release brings ${majorVersion}`,
    );
  return version !== undefined;
}

/** As `createCluster`; a disk without room for it is said in one sentence. */
export async function initializeCluster(...given: Parameters<typeof createCluster>): Promise<void> {
  try {
    await createCluster(...given);
  } catch (error) {
    if (!(error instanceof DiskFull)) throw error;
    const [{ root }] = given;
    throw new Error(
      `There is no room for a database in "${root}": make room on its disk, or set another DATA_DIR`,
      {
        cause: error,
      },
    );
  }
}

/**
 * Creates the data directory with one role and one database. It is made beside its place and renamed when
 * complete, so that a start that is cut off leaves nothing half-made behind.
 */
async function createCluster(
  folder: DataFolder,
  owner: ServerUser,
  binaries: string,
  options: { database: string; sync: boolean },
): Promise<void> {
  const user = userOfInitialization(owner);
  // The initdb of a killed starter may still be at work there; without its files it soon gives up.
  const patience = { maxRetries: 20, retryDelay: 100 };
  for (const name of await readdir(folder.root))
    if (name.startsWith(unfinished))
      await rm(join(folder.root, name), { recursive: true, force: true, ...patience });

  const workshop = await makeOwnFolder(user, join(folder.root, unfinished + randomBytes(6).toString('hex')));
  const data = await makeOwnFolder(user, join(workshop, 'data'));
  const passwordFile = join(workshop, 'password');
  await writeFile(passwordFile, folder.password, { mode: 0o600 });
  await giveTo(user, passwordFile);
  const surroundings: Surroundings = { binaries, user, cwd: data };
  const name = await nameWithin(user, data);
  await runProgram(
    'initdb',
    [
      ...['-D', name, '-U', roleName, '--pwfile', join('..', 'password'), '-A', 'scram-sha-256'],
      ...['-E', 'UTF8', '--locale-provider=builtin', '--builtin-locale=C.UTF-8', '--locale=C'],
      ...(options.sync ? [] : ['--no-sync']),
    ],
    surroundings,
  );
  await runProgram(
    'postgres',
    ['--single', '-D', name, '-c', 'exit_on_error=on', 'postgres'],
    surroundings,
    `create database "${options.database.replaceAll('"', '""')}"\n`,
  );
  await giveAllTo(owner, data);
  await rename(data, folder.cluster);
  await rm(workshop, { recursive: true });
}
