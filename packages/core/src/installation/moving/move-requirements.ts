import type { Database, Statements } from '../../foundations/database/connect.ts';
import { migrationStatus, requireKnownMigrations } from '../../foundations/database/migrate.ts';
import { OperatorError } from '../../foundations/operator.ts';
import { requirePrimary } from '../backup/requirements.ts';
import { readEnvironment } from '../installation/installation.ts';
import { runningProcesses } from '../installation/running-processes.ts';
import { knownKeys } from '../installation/secrets-keys.ts';

/** An organization that is to move, or has begun to. */
export interface MovingOrganization {
  readonly id: string;
  readonly name: string;
  readonly slug: string;
  readonly time_zone: string;
  readonly moved_at: string | null;
  readonly moved_to: string | null;
  readonly moved_into: string | null;
  readonly move_ended_at: string | null;
}

/** Raises OperatorError unless both are databases of this version and one environment, and take writes. */
export async function requireTwoInstallations(
  source: Database,
  target: Database,
  version: string,
): Promise<void> {
  await requirePrimary(source);
  await requirePrimary(target);
  await requireUpToDate(source, 'This database', version);
  await requireUpToDate(target, 'The other database', version);
  const [here, there] = [await readEnvironment(source), await readEnvironment(target)];
  if (there === null) {
    throw new OperatorError('No Dealkeep has run on the other database: start one there first');
  }
  if (here !== there) {
    throw new OperatorError(
      `This is a ${here} environment, and the other a ${there} one: an organization moves between two of the same kind`,
    );
  }
}

async function requireUpToDate(sql: Database, which: string, version: string): Promise<void> {
  await requireSameTables(sql, which);
  const [spread] = await sql`select where to_regclass('pg_catalog.pg_dist_partition') is not null`;
  if (spread)
    throw new OperatorError(
      `${which} stands on several servers (Citus): no organization moves from or to one`,
    );
  const other = (await runningProcesses(sql)).find((each) => each.version !== version);
  if (other) {
    throw new OperatorError(
      `${which} has a process of another version (${other.version} on ${other.host}; this is ${version}): bring all to the same one first`,
    );
  }
}

/** Raises OperatorError unless it is a database of this version. */
export async function requireSameTables(sql: Database, which: string): Promise<void> {
  const [table] = await sql<
    { there: boolean }[]
  >`select to_regclass('public.migrations') is not null as there`;
  if (!table?.there) throw new OperatorError(`${which} is none of Dealkeep's: start Dealkeep on it first`);
  const status = await migrationStatus(sql);
  requireKnownMigrations(status);
  const [pending] = [...status.pending, ...status.newer];
  if (pending !== undefined) {
    throw new OperatorError(`${which} is of another version (${pending}): bring both to the same one first`);
  }
}

/** Raises OperatorError for whatever stands in the way of an organization, before anything happens. */
export async function requireMovable(
  source: Statements,
  target: Statements,
  { id, slug, time_zone }: MovingOrganization,
): Promise<void> {
  await requireSettled(source, id);
  const [same] = await target<{ slug: string; moved: boolean }[]>`
    select slug, moved_at is not null as moved from organizations where id = ${id}`;
  if (same?.moved) {
    throw new OperatorError(
      `The organization has been there before, and its former rows are still in the other database, as "${same.slug}": have that forget them first`,
    );
  }
  if (same)
    throw new OperatorError('The organization is in the other database already, and stays as it is there');
  const [taken] = await target`select from organizations where slug = ${slug}`;
  if (taken) {
    throw new OperatorError(`The other database has another organization "${slug}": a slug is there once`);
  }
  const [zone] = await target`select from pg_timezone_names where name = ${time_zone}`;
  if (!zone) {
    throw new OperatorError(
      `PostgreSQL of the other database does not know the time zone ${time_zone}: update it, or choose another for the organization`,
    );
  }
  await requireKeys(source, target);
  await requireApplications(source, target, id);
}

/** What a worker goes on with by itself would be in the middle of something. */
export async function requireSettled(source: Statements, organization: string): Promise<void> {
  const [row] = await source<{ imports: boolean; erasures: boolean }[]>`
    select exists (select 1 from imports where organization_id = ${organization}
                     and status in ('checking', 'running', 'undoing')) as imports,
           exists (select 1 from erasures where organization_id = ${organization}
                     and finished_at is null) as erasures`;
  if (row?.imports)
    throw new OperatorError('An import of the organization is under way: wait until it ends, or stop it');
  if (row?.erasures)
    throw new OperatorError('An erasure of the organization is under way: wait until it ends');
}

/**
 * What is encrypted moves as it is, and cursors are signed, so that whoever runs there must have the keys from here.
 * A key never passes through a command.
 */
async function requireKeys(source: Statements, target: Statements): Promise<void> {
  const needed = await knownKeys(source);
  const running = await runningProcesses(target);
  const known = await knownKeys(target);
  const lacking = (keys: readonly string[]): string[] => needed.filter((key) => !keys.includes(key));
  const mend =
    'set SECRETS_KEY there to its own key, a comma, and the key of this installation, and restart its processes; a rotation of secrets there can retire it afterwards';
  for (const { host, secrets_keys, secrets_key } of running) {
    const missing = lacking(secrets_keys ?? [secrets_key]);
    if (missing.length === 0) continue;
    throw new OperatorError(
      `A process of the other installation (on ${host}) lacks a key that the organization is encrypted with (fingerprint ${missing.join(', ')}): ${mend}`,
    );
  }
  if (running.length === 0 && lacking(known).length > 0) {
    throw new OperatorError(
      `No process runs on the other database, so that nobody can say whether it has the keys that the organization is encrypted with (fingerprint ${lacking(known).join(', ')}): start one; ${mend}`,
    );
  }
  const bound = (sql: Statements) => sql<{ bound: boolean }[]>`
    select secrets_bound_at is not null as bound from installation`;
  const [[here], [there]] = await Promise.all([bound(source), bound(target)]);
  if (there?.bound && !here?.bound) {
    throw new OperatorError('Secrets of this database are in a former form: rotate them here first');
  }
}

/** An application of the same identifier is the same one, unless its secret is another. */
async function requireApplications(
  source: Statements,
  target: Statements,
  organization: string,
): Promise<void> {
  const own = await applicationsOf(source, organization);
  const there = await target<{ client_id: string; secret: string | null }[]>`
    select client_id, encode(secret_hash, 'hex') as secret from oauth_apps
    where client_id = any(${own.map(({ client_id }) => client_id)}::text[])`;
  for (const { client_id, name, secret } of own) {
    const same = there.find((each) => each.client_id === client_id);
    if (same && same.secret !== secret) {
      throw new OperatorError(
        `The application "${name}" (${client_id}) has another secret in the other installation: it would be locked out of the organization there`,
      );
    }
  }
}

/** The applications that an organization has connected, or registered. */
export const applicationsOf = (
  sql: Statements,
  organization: string,
): Promise<{ client_id: string; name: string; secret: string | null; row: object }[]> =>
  sql<{ client_id: string; name: string; secret: string | null; row: object }[]>`
    select a.client_id, a.name, encode(a.secret_hash, 'hex') as secret, to_jsonb(a) as row from oauth_apps a
    where a.client_id in (
      select client_id from oauth_connections where organization_id = ${organization}
      union select client_id from oauth_codes where organization_id = ${organization}
      union select client_id from oauth_app_organizations where organization_id = ${organization})`;
