import { createHmac } from 'node:crypto';
import { setTimeout as sleep } from 'node:timers/promises';
import {
  connect,
  isTemporaryFailure,
  type MigrationStatus,
  migrate,
  migrationStatus,
  OperatorError,
  prepareProgramRole,
  requireKnownMigrations,
} from '@dealkeep/core';
import { startEmbeddedPostgres } from '@dealkeep/embedded-postgres';
import type { Configuration } from './configuration.ts';
import { ConfigurationError } from './configuration-error.ts';
import { checkPostgresVersion } from './postgres-version.ts';
import { aborted } from './stop-signal.ts';

export interface OpenDatabase {
  /** For the role that the program has: it reads and writes rows. */
  url: string;
  /** For the role that owns the tables and migrates; undefined: the one of `url` does both. */
  ownerUrl: string | undefined;
  embedded: boolean;
  /** Fulfilled when the embedded server ends although nobody stopped it; its last words. */
  lost: Promise<string>;
  close(): Promise<void>;
}

export interface OpenOptions {
  log?: (line: string) => void;
  /** Whether to wait for a server that is away or still starting, as in a composition of containers: a minute. */
  wait?: boolean;
  /** Ends the waiting. */
  signal?: AbortSignal;
}

const reachLimitMs = 60_000;

/**
 * The operator's PostgreSQL, or the embedded one, which is started or, when it already runs, shared. Raises
 * ConfigurationError when DATABASE_URL leads to a server that will not do however often it is tried, and OperatorError
 * for one that cannot be reached at this time, so that a service manager tries again.
 */
export async function openDatabase(
  { databaseUrl, databaseOwnerUrl, dataDir }: Configuration,
  { log = () => {}, wait = false, signal }: OpenOptions = {},
): Promise<OpenDatabase> {
  if (databaseUrl !== undefined) {
    const check = checkServer(databaseOwnerUrl ?? databaseUrl, wait ? reachLimitMs : 0, log);
    await (signal ? Promise.race([check, aborted(signal).then(() => signal.throwIfAborted())]) : check);
    return {
      url: databaseUrl,
      ownerUrl: databaseOwnerUrl,
      embedded: false,
      lost: new Promise(() => {}),
      close: async () => {},
    };
  }
  forgetPostgresVariables();
  const server = await startEmbeddedPostgres({ dataDir, log });
  const url = programUrl(server.url);
  await prepareProgramRole(server.url, url);
  return {
    url,
    ownerUrl: server.url,
    embedded: true,
    lost: new Promise((resolve) => {
      server.exited.then(({ stopped, lastWords }) => stopped || resolve(lastWords));
    }),
    close: () => server.stop(),
  };
}

/** The role of the embedded server that is not its owner; its password follows from the owner's. */
export function programUrl(ownerUrl: string): string {
  const url = new URL(ownerUrl);
  url.password = createHmac('sha256', decodeURIComponent(url.password)).update('program').digest('base64url');
  url.username = 'dealkeep_program';
  return url.href;
}

/** Clients read PGSSLMODE and the like from the environment; they mean a server of the operator's, not ours. */
function forgetPostgresVariables(): void {
  for (const name of Object.keys(process.env)) if (/^PG[A-Z]+$/.test(name)) delete process.env[name];
}

async function checkServer(url: string, waitMs: number, log: (line: string) => void): Promise<void> {
  const sql = connect(url, { connections: 1, name: 'dealkeep start' });
  const end = Date.now() + waitMs;
  let told = false;
  try {
    for (;;) {
      try {
        const [row] = await sql<{ version: number }[]>`
          select current_setting('server_version_num')::integer / 10000 as version`;
        return checkPostgresVersion(row?.version ?? 0);
      } catch (error) {
        if (error instanceof ConfigurationError) throw error;
        const reason = reasonOf(error);
        if (isMisconfigured(error)) {
          throw new ConfigurationError('DATABASE_URL', `leads to a server that cannot be used: ${reason}`);
        }
        if (!isTemporaryFailure(error) || Date.now() >= end) {
          throw new OperatorError(`DATABASE_URL leads to a server that cannot be used now: ${reason}`);
        }
        if (!told) log(`Waiting for the database: ${reason}`);
        told = true;
        await sleep(300);
      }
    }
  } finally {
    await sql.end({ timeout: 1 });
  }
}

// Who may come in, and the database's name; no right to connect; a parameter that a pooler does not let through.
const refusals = /^(28|3D000|42501|08P01)/;
const refusalCodes = new Set(['SASL_SIGNATURE_MISMATCH', 'AUTH_TYPE_NOT_IMPLEMENTED', 'EPROTO', 'EACCES']);
/** What Node says of certificates, and of a server without TLS. */
const certificateTrouble = /CERT|SIGNED|SSL|TLS/;

/** The server was reached, and refuses what DATABASE_URL says. */
function isMisconfigured(error: unknown): boolean {
  if (!(error instanceof Error && 'code' in error)) return false;
  const code = String(error.code);
  return refusals.test(code) || refusalCodes.has(code) || certificateTrouble.test(code);
}

function reasonOf(error: unknown): string {
  if (error instanceof AggregateError && error.errors.length > 0) return reasonOf(error.errors[0]);
  return error instanceof Error ? error.message : String(error);
}

type Addresses = Pick<OpenDatabase, 'url' | 'ownerUrl'>;

/**
 * Brings the database up to date where something is pending. Cheap when there is nothing to do. Raises OperatorError for
 * one of a newer version.
 */
export async function ensureMigrated(addresses: Addresses): Promise<string[]> {
  const status = await readMigrationStatus(addresses);
  requireKnownMigrations(status);
  const { pending } = status;
  if (pending.length > 0) await migrateAsOwner(addresses);
  return pending;
}

/** Brings the database up to date, graphile-worker's part too, and lets the program's role use what is new. */
export async function migrateAsOwner({ url, ownerUrl }: Addresses): Promise<MigrationStatus> {
  const status = await migrate(ownerUrl ?? url);
  if (ownerUrl !== undefined) await prepareProgramRole(ownerUrl, url);
  return status;
}

export async function readMigrationStatus({ url, ownerUrl }: Addresses): Promise<MigrationStatus> {
  const sql = connect(ownerUrl ?? url, { connections: 1, name: 'dealkeep migrate' });
  try {
    return await migrationStatus(sql);
  } finally {
    await sql.end({ timeout: 5 });
  }
}
