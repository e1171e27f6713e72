import { beginEventEra } from '../../change/events/event-era.ts';
import type { Database, Statements, Transaction } from '../../foundations/database/connect.ts';
import { isCanceled } from '../../foundations/database/failures.ts';
import { inTransaction } from '../../foundations/database/in-transaction.ts';
import type { Environment } from '../../foundations/environment.ts';
import { OperatorError } from '../../foundations/operator.ts';
import type { Secrets } from '../../foundations/secrets.ts';
import { noteProcess, type ProcessFacts } from './process-presence.ts';
import { claimKeysIn, WrongInstallation } from './secrets-keys.ts';

interface Entering {
  environment: Environment;
  secrets: Secrets;
  process: Omit<ProcessFacts, 'secretsKeys'>;
}

/** Locks the installation: until the transaction ends, no process starts and no key is retired. */
export async function lockInstallation(tx: Transaction): Promise<void> {
  await tx`select from installation for update`;
}

/**
 * Makes a process part of the installation that a database holds, before it does anything else there. Answers the
 * keys as they are to be used here. Raises WrongInstallation when the database belongs to another environment, or is
 * encrypted with a key that is not among the given ones; OperatorError while another command keeps processes out.
 */
export const enterInstallation = (
  sql: Database,
  { environment, secrets, process }: Entering,
): Promise<Secrets> =>
  inTransaction(sql, async (tx) => {
    await lockInstallation(tx).catch(whyStill);
    await claimEnvironmentIn(tx, environment);
    const keys = await claimKeysIn(tx, secrets);
    await beginEventEra(tx);
    await noteProcess(tx, { ...process, secretsKeys: secrets.fingerprints });
    return keys;
  });

/** Raises OperatorError where the limit of statements has ended the wait: nothing that lasts so long is usual. */
function whyStill(error: unknown): never {
  if (!isCanceled(error)) throw error;
  throw new OperatorError(
    'No process may start on this database at this moment: it is being moved to another one, or its keys change. Where it has moved, name the other one; else try again',
  );
}

/** Which environment a database belongs to; null before its first start. */
export async function readEnvironment(sql: Statements): Promise<Environment | null> {
  const [row] = await sql<{ environment: Environment | null }[]>`select environment from installation`;
  return row?.environment ?? null;
}

/**
 * The first start decides which environment a database belongs to; another one is refused for good, because a test
 * environment deletes its records every night. Raises WrongInstallation.
 */
export const claimEnvironment = (sql: Database, environment: Environment): Promise<void> =>
  inTransaction(sql, (tx) => claimEnvironmentIn(tx, environment));

async function claimEnvironmentIn(tx: Transaction, environment: Environment): Promise<void> {
  const own = await readEnvironment(tx);
  if (own === environment) return;
  if (own !== null) {
    throw new WrongInstallation(
      'ENVIRONMENT',
      `takes ${own} here, not ${environment}: this database belongs to a ${own} environment; another one needs a database of its own`,
    );
  }
  if (environment === 'test' && (await holdsLiveData(tx))) {
    throw new WrongInstallation(
      'ENVIRONMENT',
      'takes live here, not test: this database holds an organization and was never reset as a test environment is, which would delete its records every night; a test environment needs a database of its own',
    );
  }
  await tx`update installation set environment = coalesce(environment, ${environment})`;
  // Somebody else may have been first.
  await claimEnvironmentIn(tx, environment);
}

/**
 * Whether a database that does not know its environment yet holds live data: it has organizations, and its workers
 * never had the nightly reset among their tasks. (Keys tell nothing: only their hashes are stored.)
 */
async function holdsLiveData(tx: Transaction): Promise<boolean> {
  const [organization] = await tx`select from organizations limit 1`;
  if (!organization) return false;
  const [tasks] =
    await tx`select to_regclass('graphile_worker._private_known_crontabs') is not null as known`;
  if (!tasks?.['known']) return true;
  const [reset] = await tx`
    select from graphile_worker._private_known_crontabs where identifier = 'reset_test_environment'`;
  return !reset;
}
