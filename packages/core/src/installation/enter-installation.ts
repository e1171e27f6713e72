import type { Environment } from '../core.ts';
import type { Database, Transaction } from '../database/connect.ts';
import { inTransaction } from '../database/in-transaction.ts';
import type { Secrets } from '../secrets.ts';
import { claimEnvironmentIn } from './environment.ts';
import { noteProcess, type ProcessFacts } from './process-presence.ts';
import { claimKeysIn } from './secrets-keys.ts';

export interface Entering {
  environment: Environment;
  secrets: Secrets;
  process: Omit<ProcessFacts, 'secretsKey'>;
}

/** Until the transaction ends, no process starts and no key is retired. */
export async function lockInstallation(tx: Transaction): Promise<void> {
  await tx`select from installation for update`;
}

/**
 * Makes a process part of the installation that a database holds, before it does anything else there. Answers the keys
 * as they are to be used here. Raises WrongInstallation when the database belongs to another environment, or is
 * encrypted with a key that is not among the given ones.
 */
export const enterInstallation = (
  sql: Database,
  { environment, secrets, process }: Entering,
): Promise<Secrets> =>
  inTransaction(sql, async (tx) => {
    await lockInstallation(tx);
    await claimEnvironmentIn(tx, environment);
    const keys = await claimKeysIn(tx, secrets);
    await noteProcess(tx, { ...process, secretsKey: secrets.fingerprint });
    return keys;
  });
