import { setTimeout as sleep } from 'node:timers/promises';
import { connect, type Database, isTemporaryFailure, migrate, migrationStatus } from '@dealkeep/core';
import { startEmbeddedPostgres } from '@dealkeep/embedded-postgres';
import type { Configuration } from './configuration.ts';
import { ConfigurationError } from './configuration-error.ts';

export interface OpenDatabase {
  url: string;
  embedded: boolean;
  /** Resolved when the embedded server ends although nobody stopped it; its last words. */
  lost: Promise<string>;
  close(): Promise<void>;
}

const oldestPostgres = 15;
const reachLimitMs = 15_000;

/** The operator's PostgreSQL, or the embedded one, which is started or, when it already runs, shared. */
export async function openDatabase(
  configuration: Configuration,
  log: (line: string) => void,
): Promise<OpenDatabase> {
  const { databaseUrl, dataDir } = configuration;
  if (databaseUrl !== undefined) {
    await checkServer(databaseUrl);
    return { url: databaseUrl, embedded: false, lost: new Promise(() => {}), close: async () => {} };
  }
  const server = await startEmbeddedPostgres({ dataDir, log });
  return {
    url: server.url,
    embedded: true,
    lost: new Promise((resolve) => {
      server.exited.then(({ stopped, lastWords }) => stopped || resolve(lastWords));
    }),
    close: () => server.stop(),
  };
}

/** Waits a little for a server that is still starting, as in a composition of containers. */
async function checkServer(url: string): Promise<void> {
  const sql = connect(url, { connections: 1, name: 'dealkeep start' });
  const end = Date.now() + reachLimitMs;
  try {
    for (;;) {
      try {
        const [row] = await sql<{ version: number }[]>`
          select current_setting('server_version_num')::integer / 10000 as version`;
        if (row && row.version < oldestPostgres) {
          throw new ConfigurationError(
            'DATABASE_URL',
            `leads to PostgreSQL ${row.version}; ${oldestPostgres} or newer is needed`,
          );
        }
        return;
      } catch (error) {
        if (error instanceof ConfigurationError) throw error;
        if (isTemporaryFailure(error) && Date.now() < end) {
          await sleep(300);
          continue;
        }
        throw new ConfigurationError(
          'DATABASE_URL',
          `leads to a server that cannot be used: ${reasonOf(error)}`,
        );
      }
    }
  } finally {
    await sql.end({ timeout: 1 });
  }
}

function reasonOf(error: unknown): string {
  if (error instanceof AggregateError && error.errors.length > 0) return reasonOf(error.errors[0]);
  return error instanceof Error ? error.message : String(error);
}

/** Brings the database up to date. Cheap when there is nothing to do. */
export async function ensureMigrated(sql: Database, url: string): Promise<string[]> {
  const { pending } = await migrationStatus(sql);
  if (pending.length > 0) await migrate(url);
  return pending;
}
