import { readdir } from 'node:fs/promises';
import { listOrganizations } from '@dealkeep/core/accounts';
import {
  clockDifferenceMs,
  connect,
  type Database,
  isTransactionPooler,
  migrationStatus,
  type Secrets,
} from '@dealkeep/core/foundations';
import { keysOfWebhooks, knownKeys, needsNoKeyYet } from '@dealkeep/core/installation';
import type { Configuration } from '../configuration.ts';
import { inDataFolder } from '../configuration-error.ts';
import { type OpenDatabase, openDatabase } from '../open-database.ts';
import { citusFindings } from './examine-citus.ts';
import { connectionsWanted, readConnections } from './examine-connections.ts';
import { runningFindings } from './examine-running.ts';
import { auditLogFinding, rightsFinding, serverFindings, timeZoneFinding } from './examine-server.ts';
import type { Finding } from './finding.ts';

/** @param secrets undefined where none were generated yet */
export async function databaseFindings(
  configuration: Configuration,
  secrets: Secrets | undefined,
): Promise<Finding[]> {
  const { databaseUrl, dataDir } = configuration;
  try {
    if (databaseUrl === undefined && (await inDataFolder(dataDir, () => isEmpty(dataDir)))) {
      return [
        { check: 'Database', state: 'ok', finding: `there is none in ${dataDir} yet; a start makes it` },
      ];
    }
    const database = await openDatabase(configuration);
    const sql = connect(database.url, { connections: 1, name: 'dealkeep doctor' });
    try {
      const pooler = database.embedded ? [] : [await poolerFinding(database, configuration)];
      return [...(await examineDatabase(sql, secrets, configuration)), ...pooler];
    } finally {
      await sql.end({ timeout: 5 });
      await database.close();
    }
  } catch (error) {
    const mend =
      databaseUrl === undefined
        ? `Check that ${dataDir} belongs to this user, that the disk has room, and what ${dataDir}/postgres.log says.`
        : 'Check that the server runs and that DATABASE_URL names it with the right user, password and database.';
    const finding = error instanceof Error ? error.message : String(error);
    return [{ check: 'Database', state: 'failed', finding, mend }];
  }
}

async function isEmpty(folder: string): Promise<boolean> {
  try {
    return (await readdir(folder)).length === 0;
  } catch (error) {
    if (error instanceof Error && 'code' in error && error.code === 'ENOENT') return true;
    throw error;
  }
}

/** A pooler in transaction mode forgets locks and listeners. */
async function poolerFinding({ url, directUrl }: OpenDatabase, { roles }: Configuration): Promise<Finding> {
  const check = 'Pooler';
  if (!(await isTransactionPooler(url))) {
    return {
      check,
      state: 'ok',
      finding: 'DATABASE_URL leads to PostgreSQL itself, or keeps its connections',
    };
  }
  if (!(await isTransactionPooler(directUrl))) {
    const finding = 'DATABASE_URL leads through one in transaction mode, DATABASE_DIRECT_URL past it';
    return { check, state: 'ok', finding };
  }
  return {
    check,
    state: roles.has('worker') ? 'failed' : 'warning',
    finding: 'DATABASE_URL leads through one in transaction mode, where nobody can listen or keep a lock',
    mend: 'Set DATABASE_DIRECT_URL to the address of PostgreSQL itself: workers, migrations and event streams need it.',
  };
}

async function examineDatabase(
  sql: Database,
  secrets: Secrets | undefined,
  configuration: Configuration,
): Promise<Finding[]> {
  const [server] = await sql<{ version: string; clock: string }[]>`
    select current_setting('server_version') as version, clock_timestamp() as clock`;
  const difference = Math.abs(Date.parse(server?.clock ?? '') - Date.now());
  const findings: Finding[] = [
    { check: 'Database', state: 'ok', finding: `PostgreSQL ${server?.version} answers` },
    clockFinding(difference),
    ...(await serverFindings(sql)),
    connectionsWanted(await readConnections(sql), configuration),
  ];
  const rights = await rightsFinding(sql);
  findings.push(rights);
  if (rights.state === 'failed') return findings;
  findings.push(await timeZoneFinding(sql));
  const { applied, pending, newer, unknown } = await migrationStatus(sql);
  if (unknown.length > 0) {
    const finding = `the database is newer than this program: it has ${unknown.join(', ')}`;
    const mend = 'Start the newer version, or restore a backup from before its migration.';
    return [...findings, { check: 'Migrations', state: 'failed', finding, mend }];
  }
  if (pending.length > 0) {
    return [...findings, pendingFinding(pending.length, applied.length, configuration)];
  }
  return [
    ...findings,
    appliedFinding(applied, newer),
    ...(await citusFindings(sql, configuration)),
    await auditLogFinding(sql),
    organizationsFinding((await listOrganizations(sql)).length),
    await secretsFinding(sql, secrets),
    ...(await runningFindings(sql, configuration)),
  ];
}

/** Programs of the version before run beside a newer one, and again after it. */
function appliedFinding(applied: readonly string[], newer: readonly string[]): Finding {
  if (newer.length === 0) {
    return { check: 'Migrations', state: 'ok', finding: `all ${applied.length} are applied` };
  }
  const finding = `the database is of a newer version, with which this one goes on: it has ${newer.join(', ')}`;
  const mend = 'Start the newer version once its trouble is over; what it added stays meanwhile.';
  return { check: 'Migrations', state: 'warning', finding, mend };
}

/** A start makes them of the embedded database, and of another one where it is told to. */
function pendingFinding(pending: number, applied: number, { databaseUrl, migrate }: Configuration): Finding {
  const finding = `${pending} of ${pending + applied} are pending`;
  if (databaseUrl === undefined || migrate) {
    const mend = 'Run `npx dealkeep migrate`, or start: that does it, too.';
    return { check: 'Migrations', state: 'warning', finding, mend };
  }
  const mend = 'Run `npx dealkeep migrate`; or set MIGRATE=true, so that a start does it.';
  return { check: 'Migrations', state: 'failed', finding: `${finding}: a start refuses`, mend };
}

function clockFinding(difference: number): Finding {
  const finding = `this machine and the database differ by ${difference} ms`;
  if (difference <= clockDifferenceMs) return { check: 'Clock', state: 'ok', finding };
  const mend = 'Synchronise both clocks (NTP): signatures and retries depend on the time.';
  return { check: 'Clock', state: 'failed', finding, mend };
}

function organizationsFinding(count: number): Finding {
  if (count > 0) return { check: 'Organizations', state: 'ok', finding: `there are ${count}` };
  const mend = 'Make one: `npx dealkeep organizations create --name … --slug …`, then a user, then a key.';
  return { check: 'Organizations', state: 'warning', finding: 'there are none', mend };
}

const checkOfSecrets = 'Secrets';

async function secretsFinding(sql: Database, secrets: Secrets | undefined): Promise<Finding> {
  if (!secrets && (await needsNoKeyYet(sql))) {
    return { check: checkOfSecrets, state: 'ok', finding: 'nothing needs a key yet; a start makes one' };
  }
  const mend =
    'Add the key that they were encrypted with to SECRETS_KEY, after a comma (embedded: restore DATA_DIR/secrets-key). One that is lost for good: `npx dealkeep secrets forget`, then new secrets for these webhooks.';
  const missing = (await knownKeys(sql)).filter((key) => !secrets?.fingerprints.includes(key));
  if (!secrets || missing.length > 0) {
    const which = missing.length > 0 ? ` (fingerprint ${missing.join(', ')})` : '';
    const finding = `the database is encrypted with a key that is not there${which}: a start refuses`;
    return { check: checkOfSecrets, state: 'failed', finding, mend };
  }
  const { values, unreadable } = await keysOfWebhooks(sql, secrets);
  if (unreadable > 0) {
    const finding = `${unreadable} of ${values} secrets of webhooks cannot be read: their deliveries are held`;
    return { check: checkOfSecrets, state: 'failed', finding, mend };
  }
  return { check: checkOfSecrets, state: 'ok', finding: `all ${values} secrets of webhooks can be read` };
}
