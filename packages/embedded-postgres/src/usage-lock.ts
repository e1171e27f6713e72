import { join } from 'node:path';
import { DatabaseSync } from 'node:sqlite';
import { setTimeout as sleep } from 'node:timers/promises';

// Node has no file locks of its own, SQLite's files have: they hold across processes and containers, and
// the operating system drops them when their process dies, however it dies. The files stay empty.

const waitLimit = 120_000;

/** Runs `work` while no other process starts, adopts or stops the server of this folder. */
export async function exclusively<Result>(root: string, work: () => Promise<Result>): Promise<Result> {
  const gate = open(join(root, 'postgres.gate'));
  try {
    const limit = Date.now() + waitLimit;
    while (!lock(gate, 'BEGIN EXCLUSIVE')) {
      if (Date.now() > limit)
        throw new Error(`Another process has been starting or stopping ${root} for two minutes`);
      await sleep(25);
    }
    return await work();
  } finally {
    gate.close();
  }
}

/** Registers this process as a user of the folder's server until `leave` or the end of the process. */
export function joinUsers(root: string): { leave(): void } {
  const users = open(join(root, 'postgres.users'));
  if (!lock(users, 'BEGIN; SELECT 1 FROM sqlite_schema')) {
    users.close();
    throw new Error(`${root} is locked by another program`);
  }
  return { leave: () => users.close() };
}

/** Whether any living process, this one included, is registered as a user. Ask within `exclusively`. */
export function hasUsers(root: string): boolean {
  const users = open(join(root, 'postgres.users'));
  try {
    return !lock(users, 'BEGIN EXCLUSIVE');
  } finally {
    users.close();
  }
}

function open(file: string): DatabaseSync {
  try {
    return new DatabaseSync(file, { timeout: 0 });
  } catch (error) {
    throw new Error(`${file} cannot be opened: does the folder belong to another user?`, { cause: error });
  }
}

const sqliteBusy = 5;

function lock(file: DatabaseSync, statement: string): boolean {
  try {
    // With a journal of its own a lock would need room on the disk, and a server on a full one could not be stopped.
    file.exec(`PRAGMA journal_mode = MEMORY; ${statement}`);
    return true;
  } catch (error) {
    if (error instanceof Error && 'errcode' in error && error.errcode === sqliteBusy) return false;
    throw error;
  }
}
