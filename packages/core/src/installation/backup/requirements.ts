import { setTimeout as sleep } from 'node:timers/promises';
import type { Database, Statements } from '../../foundations/database/connect.ts';
import { isDistributed } from '../../foundations/database/distribute.ts';
import { appliedNames, migrationNames } from '../../foundations/database/migrate.ts';
import { allTables, filledByStarting, quoted } from '../../foundations/database/tables.ts';
import type { Environment } from '../../foundations/environment.ts';
import { endedCommandMs } from '../../foundations/operating-limits.ts';
import { OperatorError } from '../../foundations/operator.ts';
import { ofAllOrganizations } from '../../identity/tenancy/due-organizations.ts';
import { placesOf, placesOfProcesses } from '../installation/running-processes.ts';
import { type BackupHeader, unusable } from './backup-file.ts';

/** What a backup is to fit. */
export interface RestorePlace {
  environment: Environment;
  /** Becomes one of this environment, whatever it was. */
  changeEnvironment: boolean;
  /** Of the keys that this environment has; undefined: restored although its secrets cannot be read. */
  fingerprints: readonly string[] | undefined;
}

/** The keys that a backup needs and that are not there. */
export const missingKeys = ({ secrets_keys }: BackupHeader, fingerprints: readonly string[]): string[] =>
  secrets_keys.filter((key) => !fingerprints.includes(key));

/** Raises OperatorError for a backup that does not belong here, before anything is touched. */
export async function requireFitting(header: BackupHeader, place: RestorePlace): Promise<void> {
  const { environment, changeEnvironment, fingerprints } = place;
  if (header.environment !== null && header.environment !== environment && !changeEnvironment) {
    throw unusable(
      `is of a ${header.environment} environment, and ENVIRONMENT is ${environment} here: set it to ${header.environment}`,
      { allowed: 'change_environment' },
    );
  }
  const missing = fingerprints === undefined ? [] : missingKeys(header, fingerprints);
  if (missing.length > 0) {
    const here = fingerprints?.length ? `here is ${fingerprints.join(', ')}` : 'here is none';
    throw unusable(
      `is encrypted with a key that SECRETS_KEY lacks (fingerprint ${missing.join(', ')}; ${here}): set SECRETS_KEY to the one of the original`,
      { allowed: 'without_key' },
    );
  }
  await requireKnownHead(header);
}

/** Its migrations must be the first of ours. */
async function requireKnownHead({ migrations, version }: BackupHeader): Promise<void> {
  const known = await migrationNames();
  const newer = migrations.find((name) => !known.includes(name));
  if (newer !== undefined) {
    throw unusable(
      `was made by a newer version (Dealkeep ${version}; ${newer} is not known here): restore it with that version`,
    );
  }
  const missing = known.slice(0, migrations.length).find((name) => !migrations.includes(name));
  if (missing !== undefined) {
    throw unusable(
      `was made by another line of versions (it lacks ${missing}): restore it with the one that made it`,
    );
  }
}

/** Any number; the same in every process. Whoever has it fills a database. */
const fillingLock = 4_711_005;

/**
 * Raises OperatorError while another command fills the database; from then on this connection keeps others out until
 * it ends. A command that was killed lets go a moment later.
 */
export async function requireAlone(sql: Database): Promise<void> {
  for (const end = performance.now() + endedCommandMs; ; await sleep(250)) {
    const [lock] = await sql<{ taken: boolean }[]>`select pg_try_advisory_lock(${fillingLock}) as taken`;
    if (lock?.taken) return;
    if (performance.now() < end) continue;
    throw new OperatorError(
      'Another restore or move fills this database at this moment: wait until it has ended',
    );
  }
}

/**
 * Raises OperatorError unless a database takes a restore: it has no tables yet, or those of a version that is not
 * newer than the backup's, without a row that anybody made; no process runs on it, and it is not distributed over
 * several servers.
 */
export async function requireEmpty(sql: Database, { migrations }: BackupHeader): Promise<void> {
  await requirePrimary(sql);
  const tables = (await allTables(sql)).map(({ name }) => name);
  if (tables.length === 0) return;
  if (!tables.includes('migrations')) {
    throw notEmpty('it has tables of something else', tables.slice(0, 3).join(', '));
  }
  await requireUnused(sql);
  if (await isDistributed(sql)) {
    throw new OperatorError(
      'The database is empty, but its tables are distributed over several servers already: make it anew on each of them, restore, and scale it out again then',
    );
  }
  const beyond = (await appliedNames(sql)).find((name) => !migrations.includes(name));
  if (beyond !== undefined) {
    throw new OperatorError(
      `The database is empty, but newer than the backup (${beyond}): make it anew (dropdb, createdb), and restore before anything migrates it`,
    );
  }
}

/**
 * Raises OperatorError for a database of ours in which anybody has made a row, and for one that a process runs on.
 */
export async function requireUnused(sql: Statements): Promise<void> {
  await requireNobody(sql);
  for (const { name } of await allTables(sql)) {
    if (filledByStarting.includes(name)) continue;
    const [row] = await sql`select ${ofAllOrganizations(sql)} 1 from ${sql.unsafe(quoted(name))} limit 1`;
    if (row) throw notEmpty('it holds data', await whatItHolds(sql, name));
  }
}

/** Raises OperatorError for a server that takes no writes. */
export async function requirePrimary(sql: Database): Promise<void> {
  const [row] = await sql<{ standby: boolean }[]>`select pg_is_in_recovery() as standby`;
  if (row?.standby) {
    throw new OperatorError(
      'The database is a standby, which takes no writes: name the primary server instead',
    );
  }
}

/** Raises OperatorError while a process of Dealkeep runs on a database. */
export async function requireNobody(sql: Statements): Promise<void> {
  const [table] = await sql<
    { there: boolean }[]
  >`select to_regclass('public.processes') is not null as there`;
  if (!table?.there) return;
  const running = await placesOfProcesses(sql);
  if (running.length === 0) return;
  throw new OperatorError(`Dealkeep runs on this database (${placesOf(running)}): stop it first`);
}

async function whatItHolds(sql: Statements, table: string): Promise<string> {
  const slugs = await sql<{ slug: string }[]>`select slug from organizations order by created_at limit 3`;
  return slugs.length > 0 ? `the organization ${slugs.map(({ slug }) => slug).join(', ')}` : table;
}

const notEmpty = (reason: string, what: string): OperatorError =>
  new OperatorError(
    `The database is not empty: ${reason} (${what}). Only an empty one is filled: give a new database, or, for an embedded one, another folder in DATA_DIR`,
  );
