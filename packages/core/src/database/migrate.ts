import { readdir, readFile } from 'node:fs/promises';
import { runMigrations } from 'graphile-worker';
import { connect, type Database } from './connect.ts';
import { jobPool } from './job-pool.ts';

const folder = new URL('../../migrations/', import.meta.url);
/** Any number; the same in every process that migrates. */
const migrationLock = 4_711_001;

export interface MigrationStatus {
  applied: string[];
  pending: string[];
}

async function migrationNames(): Promise<string[]> {
  return (await readdir(folder)).filter((name) => name.endsWith('.sql')).sort();
}

async function appliedNames(sql: Database): Promise<string[]> {
  const [table] = await sql`select to_regclass('public.migrations') is not null as present`;
  if (!table?.['present']) return [];
  const rows = await sql<{ name: string }[]>`select name from migrations order by name`;
  return rows.map((row) => row.name);
}

/** Which migrations the database has, and which it still needs. */
export async function migrationStatus(sql: Database): Promise<MigrationStatus> {
  const [names, applied] = await Promise.all([migrationNames(), appliedNames(sql)]);
  return { applied, pending: names.filter((name) => !applied.includes(name)) };
}

/** Brings a database up to date. Two at once are safe: the second waits and then finds nothing to do. */
export async function migrate(url: string): Promise<MigrationStatus> {
  const sql = connect(url, { connections: 1, name: 'dealkeep migrate' });
  try {
    await sql`select pg_advisory_lock(${migrationLock})`;
    await sql`
      create table if not exists migrations (name text primary key, applied_at timestamptz(3) not null default now())`;
    const { pending } = await migrationStatus(sql);
    for (const name of pending) {
      const text = await readFile(new URL(name, folder), 'utf8');
      await sql.begin(async (tx) => {
        await tx`insert into migrations (name) values (${name})`;
        await tx.unsafe(text);
      });
    }
    await migrateJobs(url);
    return await migrationStatus(sql);
  } finally {
    await sql.end({ timeout: 5 });
  }
}

async function migrateJobs(url: string): Promise<void> {
  const pool = jobPool(url, 1);
  try {
    await runMigrations({ pgPool: pool });
  } finally {
    await pool.end();
  }
}
