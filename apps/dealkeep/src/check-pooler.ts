import {
  firstSchema,
  isPooled,
  isTransactionPooler,
  ourSchema,
  refusesSettings,
} from '@dealkeep/core/foundations';
import { ConfigurationError } from './configuration-error.ts';

/** Raises ConfigurationError when DATABASE_URL leads through a pooler and does not say so, or to another schema. */
export async function checkForPooler(databaseUrl: string): Promise<void> {
  if (isPooled(databaseUrl)) return checkSchema(databaseUrl);
  const mend = 'end it with ?prepare=false, or give the address of PostgreSQL itself';
  if (await isTransactionPooler(databaseUrl)) {
    throw new ConfigurationError('DATABASE_URL', `leads through a pooler in transaction mode: ${mend}`);
  }
  if (await refusesSettings(databaseUrl)) {
    throw new ConfigurationError('DATABASE_URL', `leads through a pooler that refuses settings: ${mend}`);
  }
}

/** Without a pooler, each connection says by itself where our tables are. */
async function checkSchema(databaseUrl: string): Promise<void> {
  const schema = await firstSchema(databaseUrl);
  if (schema === ourSchema) return;
  throw new ConfigurationError(
    'DATABASE_URL',
    `leads through a pooler to a role that finds tables in the schema ${schema} first: alter role … set search_path = ${ourSchema}, and restart the pooler`,
  );
}

/**
 * Raises ConfigurationError when an address leads through a pooler in transaction mode, where nobody can listen or
 * keep a lock.
 *
 * @param purpose what needs the address
 */
export async function requireDirect(address: string, purpose: string): Promise<void> {
  if (!(await isTransactionPooler(address))) return;
  throw new ConfigurationError(
    'DATABASE_DIRECT_URL',
    `takes the address of PostgreSQL itself for ${purpose}, since DATABASE_URL leads through a pooler in transaction mode`,
  );
}
