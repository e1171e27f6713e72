import { createHmac } from 'node:crypto';
import { setTimeout as sleep } from 'node:timers/promises';
import {
  connect,
  databaseAwaitedMs,
  isLastingRefusal,
  isTemporaryFailure,
  lackingInWords,
  type MigrationStatus,
  migrate,
  migrationStatus,
  OperatorError,
  parseDatabaseAddress,
  prepareProgramRole,
  RightsProof,
  requireKnownMigrations,
  requireOfferedTls,
  requireServer,
} from '@dealkeep/core/foundations';
import { startEmbeddedPostgres } from '@dealkeep/embedded-postgres';
import { checkForPooler, requireDirect } from './check-pooler.ts';
import type { Configuration } from './configuration.ts';
import { ConfigurationError, inDataFolder } from './configuration-error.ts';
import { aborted } from './stop-signal.ts';

export interface OpenDatabase {
  /** For the role that the program has: it reads and writes rows. */
  url: string;
  /** The address of PostgreSQL itself, where `url` leads through a pooler: for what listens and keeps locks. */
  directUrl: string;
  /** For the role that owns the tables and migrates; undefined: the one of `url` does both. */
  ownerUrl: string | undefined;
  embedded: boolean;
  /** Fulfilled when the embedded server ends although nobody stopped it; its last words. */
  lost: Promise<string>;
  close(): Promise<void>;
}

interface OpenOptions {
  log?: (line: string) => void;
  /** Whether to wait for a server that is away or still starting, as in a composition of containers. */
  wait?: boolean;
  /** Ends the waiting. */
  signal?: AbortSignal | undefined;
}

/**
 * The operator's PostgreSQL, or the embedded one, which is started or, when it already runs, shared. Raises
 * ConfigurationError when an address leads to a server that will not do however often it is tried, and OperatorError
 * for one that cannot be reached at this time, so that a service manager tries again.
 */
export async function openDatabase(
  { databaseUrl, databaseDirectUrl, databaseOwnerUrl, dataDir }: Configuration,
  { log = () => {}, wait = false, signal }: OpenOptions = {},
): Promise<OpenDatabase> {
  if (databaseUrl !== undefined) {
    // Before the first migration, only the owner may come in.
    const first: NamedAddress =
      databaseOwnerUrl === undefined
        ? ['DATABASE_URL', databaseUrl]
        : ['DATABASE_OWNER_URL', databaseOwnerUrl];
    const patience = { waitMs: wait ? databaseAwaitedMs : 0, log, signal };
    const check = async (): Promise<void> => {
      await checkServer(first, patience);
      await untilReached('DATABASE_URL', patience, () =>
        checkForPooler(databaseUrl).catch((error) => {
          if (databaseOwnerUrl === undefined || !isMissingRole(error)) throw error;
        }),
      );
    };
    await (signal ? Promise.race([check(), aborted(signal).then(() => signal.throwIfAborted())]) : check());
    return {
      url: databaseUrl,
      directUrl: databaseDirectUrl ?? databaseUrl,
      ownerUrl: databaseOwnerUrl,
      embedded: false,
      lost: new Promise(() => {}),
      close: async () => {},
    };
  }
  forgetPostgresVariables();
  const server = await inDataFolder(dataDir, () => startEmbeddedPostgres({ dataDir, log }));
  const url = programUrl(server.url);
  await prepareProgramRole(server.url, url);
  return {
    url,
    directUrl: url,
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

/** An address, and the variable that says it. */
type NamedAddress = readonly [variable: 'DATABASE_URL' | 'DATABASE_OWNER_URL', url: string];

type Patience = Omit<OpenOptions, 'wait'> & { waitMs?: number };

async function checkServer([variable, url]: NamedAddress, patience: Patience = {}): Promise<void> {
  const sql = connect(url, { connections: 1, name: 'dealkeep start', cautious: true });
  try {
    await untilReached(variable, patience, async () => {
      await requireOfferedTls(url);
      await requireServer(url);
      const [row] = await sql<{ version: number }[]>`
        select current_setting('server_version_num')::integer / 10000 as version`;
      checkPostgresVersion(row?.version ?? 0);
    });
  } finally {
    await sql.end({ timeout: 1 });
  }
}

/**
 * Tries again what fails for now. Raises ConfigurationError for what no further try changes, and OperatorError when
 * time is up.
 */
async function untilReached(
  variable: NamedAddress[0],
  { waitMs = 0, log = () => {}, signal }: Patience,
  work: () => Promise<void>,
): Promise<void> {
  const end = Date.now() + waitMs;
  for (let told = false; ; told = true) {
    try {
      return await work();
    } catch (error) {
      if (error instanceof ConfigurationError) throw error;
      if (isMisconfigured(error) || !isTemporaryFailure(error) || Date.now() >= end) {
        throw troubleWith(variable, error);
      }
      if (!told) log(`Waiting for the database: ${reasonOf(error)}`);
      await sleep(300);
      signal?.throwIfAborted();
    }
  }
}

// SQLSTATEs by which a server refuses what the address says: user or password, the database's name, no right to
// connect.
const refusals = /^(28|3D000|42501)/;
const refusalCodes = new Set(['SASL_SIGNATURE_MISMATCH', 'AUTH_TYPE_NOT_IMPLEMENTED', 'EPROTO', 'EACCES']);
/** What Node says of certificates, and of a server without TLS. */
const certificateTrouble = /CERT|SIGN|SSL|TLS/;

/** The server was reached, and refuses what DATABASE_URL says. */
function isMisconfigured(error: unknown): boolean {
  if (isLastingRefusal(error)) return true;
  if (!(error instanceof Error && 'code' in error)) return false;
  const code = String(error.code);
  return refusals.test(code) || refusalCodes.has(code) || certificateTrouble.test(code);
}

// Errors of a certificate whose authority is not known here.
const unknownAuthority = /^(UNABLE_TO_|SELF_SIGNED_|DEPTH_ZERO_)/;

/** What an operator does about it, where the reason does not say. */
const hintOf = (error: unknown): string =>
  error instanceof Error && 'code' in error && unknownAuthority.test(String(error.code))
    ? '; the certificate of a private authority goes into a file that NODE_EXTRA_CA_CERTS names'
    : '';

/** What an operator is told of a server that was not reached, or that refuses; it names the variable. */
function troubleWith(variable: NamedAddress[0], error: unknown): ConfigurationError | OperatorError {
  const reason = reasonOf(error);
  return isMisconfigured(error)
    ? new ConfigurationError(variable, `leads to a server that cannot be used: ${reason}${hintOf(error)}`)
    : new OperatorError(`${variable} leads to a server that cannot be used now: ${reason}`);
}

/**
 * Whether the role may not sign in (28P01, 28000; PgBouncer tells it as 08P01). It may not have been made yet;
 * `ensureMigrated` asks again.
 */
function isMissingRole(error: unknown): boolean {
  const code = error instanceof Error && 'code' in error ? String(error.code) : '';
  return /^28/.test(code) || isLastingRefusal(error);
}

function reasonOf(error: unknown): string {
  if (error instanceof AggregateError && error.errors.length > 0) return reasonOf(error.errors[0]);
  return error instanceof Error ? error.message : String(error);
}

type Addresses = Pick<OpenDatabase, 'url' | 'directUrl' | 'ownerUrl'>;

/**
 * Brings the database up to date where something is pending and that is wanted: of the embedded one always, of the
 * operator's own with MIGRATE=true. Raises OperatorError where it is not, so that a service manager tries again, as
 * `dealkeep migrate` may be under way; and for a database of a newer version. Raises ConfigurationError when the
 * role of the program may not come in even then. Cheap when there is nothing to do.
 */
export async function ensureMigrated(
  database: Addresses & Pick<OpenDatabase, 'embedded'>,
  wanted: boolean,
): Promise<string[]> {
  const applied = await applyPending(database, wanted);
  const { embedded, ownerUrl, url } = database;
  if (!embedded && ownerUrl !== undefined) await checkServer(['DATABASE_URL', url]);
  return applied;
}

async function applyPending(
  database: Addresses & Pick<OpenDatabase, 'embedded'>,
  wanted: boolean,
): Promise<string[]> {
  const status = await readMigrationStatus(database);
  requireKnownMigrations(status);
  const { pending } = status;
  if (pending.length === 0) return [];
  if (!database.embedded && !wanted) {
    throw new OperatorError(
      `The database is not up to date (${pending.length} pending, the first ${pending[0]}): run \`dealkeep migrate\`, or set MIGRATE=true`,
    );
  }
  await migrateAsOwner(database);
  return pending;
}

/** Brings the database up to date, graphile-worker's part too, and lets the program's role use what is new. */
export async function migrateAsOwner({ url, directUrl, ownerUrl }: Addresses): Promise<MigrationStatus> {
  await requireDirect(ownerUrl ?? directUrl, 'migrations');
  const status = await migrate(ownerUrl ?? directUrl);
  if (ownerUrl !== undefined) await prepareProgramRole(ownerUrl, url);
  await requireRights(url);
  return status;
}

/**
 * Raises OperatorError when the role of the program lacks a right that it needs: without it requests fail, or
 * deliveries wait for ever, while everything else seems well.
 */
export async function requireRights(url: string): Promise<void> {
  const lacking = await lackingRights(url);
  if (lacking.length === 0) return;
  const { user: role = '' } = parseDatabaseAddress(url);
  throw new OperatorError(
    `The role ${role} of DATABASE_URL lacks ${lackingInWords(lacking)}: run \`dealkeep migrate\` with DATABASE_OWNER_URL, which grants it, or as an administrator grant what is not the owner's to give`,
  );
}

/** What the role of an address lacks, in words; empty when it has all rights, or where no migration has run. */
export async function lackingRights(url: string): Promise<string[]> {
  const sql = connect(url, { connections: 1, name: 'dealkeep rights' });
  try {
    return await new RightsProof(sql).lacking();
  } finally {
    await sql.end({ timeout: 5 });
  }
}

export async function readMigrationStatus({ url, ownerUrl }: Addresses): Promise<MigrationStatus> {
  const sql = connect(ownerUrl ?? url, { connections: 1, name: 'dealkeep migrate' });
  try {
    return await migrationStatus(sql);
  } finally {
    await sql.end({ timeout: 5 });
  }
}

const oldest = 15;

/** Raises ConfigurationError for a major version that Dealkeep's statements do not run on. */
export function checkPostgresVersion(major: number): void {
  if (major >= oldest) return;
  throw new ConfigurationError(
    'DATABASE_URL',
    `takes the address of a PostgreSQL ${oldest} or newer, and this one leads to PostgreSQL ${major}`,
  );
}
