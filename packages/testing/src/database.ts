import { randomBytes } from 'node:crypto';
import { migrate } from '@dealkeep/core/foundations';
import postgres from 'postgres';
import { inject, onTestFinished, TestRunner } from 'vitest';
import { onEach } from './citus/servers.ts';
import { countConnections } from './cost.ts';
import { databaseUrl, programUrl } from './database-url.ts';
import { captureStatements } from './statements/captured-statements.ts';

/** A migrated database of its own, without any organization in it. */
export interface TestDatabase {
  /** For the role that the program has where operators follow the documents; the owner's for an empty database. */
  url: string;
  /** For the role that migrates. */
  ownerUrl: string;
  /** As the owner. */
  sql: postgres.Sql;
  /** Closes `sql`, ends all other connections and removes the database. Happens by itself, too. */
  drop(): Promise<void>;
}

const open = new Set<TestDatabase>();
let server: postgres.Sql | undefined;
/** The databases of this process, by their names. */
const names = new Set<string>();

const administrate = (): postgres.Sql =>
  (server ??= postgres(inject('postgres').url, { max: 2, onnotice: () => {} }));

/** Counts what the connections to this process's databases have taken so far. */
export async function countDatabases(): Promise<void> {
  if (names.size > 0) await countConnections(administrate(), [...names]);
}

/** Drops what is left of a test file's databases; `file-setup.ts` calls it at the end of each. */
export async function dropDatabases(): Promise<void> {
  await Promise.all(Array.from(open, (database) => database.drop()));
  await countDatabases();
  await server?.end();
  server = undefined;
}

/**
 * Makes a database from the migrated template, or an empty one. It is dropped when the test ends that asked for it;
 * one made outside of a test, or in a concurrent test, when the file ends; a lasting one goes with the server.
 *
 * @param onOneServer also where the records of all others are distributed: as a backup fills them
 * @param locale of an empty database, as `create database` takes it: `locale_provider libc locale 'C'`
 */
export async function testDatabase({
  migrated = true,
  lasting = false,
  onOneServer = false,
  locale = '',
} = {}): Promise<TestDatabase> {
  const { template, others } = inject('postgres');
  const apart = migrated && onOneServer && others.length > 0;
  const copied = migrated && !apart;
  const database = await copyOf(copied ? template : 'template0', { migrated: copied, locale });
  if (apart) await migrate(database.ownerUrl);
  return lasting ? database : dropAfterwards(database);
}

/**
 * For tests that begin with the same rows: fills a migrated database once for the file. Each call of the answer
 * makes a copy of it, which goes as one of `testDatabase` does.
 *
 * @param onOneServer as for `testDatabase`
 */
export function filledOnce(
  fill: (database: TestDatabase) => Promise<unknown>,
  { onOneServer = false } = {},
): () => Promise<TestDatabase> {
  const fillOne = async (): Promise<string> => {
    const database = await copyOf(inject('postgres').template, { migrated: true });
    open.add(database);
    await fill(database);
    await database.close();
    return database.name;
  };
  let filled: Promise<string> | undefined;
  return async () => {
    // Citus has a process in each of its databases, which keeps it from being copied.
    if (inject('postgres').others.length > 0) {
      const database = await testDatabase({ onOneServer });
      await fill(database);
      return database;
    }
    filled ??= fillOne();
    return dropAfterwards(await copyOf(await filled, { migrated: true }));
  };
}

interface Copy extends TestDatabase {
  name: string;
  /** Closes `sql` and waits for the end of all connections: nobody may be connected to what is copied. */
  close(): Promise<void>;
}

async function copyOf(
  template: string,
  { migrated, locale = '' }: { migrated: boolean; locale?: string },
): Promise<Copy> {
  const { url, others } = inject('postgres');
  const admin = administrate();
  const name = `test_${randomBytes(8).toString('hex')}`;
  // Copying files is twice as fast as the default strategy where nothing is synced to disk.
  const create = (each: postgres.Sql) =>
    each`create database ${each(name)} template ${each(template)} strategy file_copy ${each.unsafe(locale)}`;
  await create(admin);
  await onEach(migrated ? others : [], 'postgres', create);
  names.add(name);

  const ownerUrl = databaseUrl(url, name);
  const sql = postgres(ownerUrl, { onnotice: () => {} });
  const close = async (): Promise<void> => {
    await sql.end({ timeout: 5 });
    await connectionsClosed(admin, name);
  };
  const database: Copy = {
    name,
    url: migrated ? programUrl(ownerUrl) : ownerUrl,
    ownerUrl,
    sql,
    close,
    async drop() {
      if (!open.delete(database)) return;
      await countConnections(admin, [name]);
      await close();
      names.delete(name);
      const drop = (each: postgres.Sql) => each`drop database if exists ${each(name)} with (force)`;
      await drop(admin);
      await onEach(others, 'postgres', drop);
      if (others.length === 0) await captureStatements(admin);
    },
  };
  return database;
}

function dropAfterwards(database: TestDatabase): TestDatabase {
  open.add(database);
  const test = TestRunner.getCurrentTest();
  if (test && !test.concurrent) onTestFinished(() => database.drop());
  return database;
}

/** Pools close their sockets a moment after they say so; ended by force, they would report an error. */
async function connectionsClosed(admin: postgres.Sql, name: string): Promise<void> {
  for (const limit = Date.now() + 2000; Date.now() < limit; ) {
    const [open] = await admin`select 1 from pg_stat_activity where datname = ${name} limit 1`;
    if (!open) return;
    await new Promise((resolve) => setTimeout(resolve, 5));
  }
}
