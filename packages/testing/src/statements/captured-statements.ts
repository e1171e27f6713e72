import { mkdir, readFile, writeFile } from 'node:fs/promises';
import { dirname } from 'node:path';
import { fileURLToPath } from 'node:url';
import type { TablesByPlace } from '@dealkeep/core/foundations';
import postgres from 'postgres';
import { programRole } from '../database-url.ts';

/** Where a run of tests leaves what the program asked of the database. */
export const capturedFile = fileURLToPath(
  new URL('../../../../node_modules/.cache/dealkeep/statements.json', import.meta.url),
);

// PostgreSQL itself notes the statements, whichever process sends them, with numbers in the place of values. What
// the tests ask for by themselves comes from the owner of the tables, so the role tells whose a statement is.

/** Before the first database is made. */
export async function prepareCapture(server: postgres.Sql): Promise<void> {
  await server`create extension pg_stat_statements`;
  await server`create table captured_statements (hash text primary key, query text not null)`;
}

/** Databases that this process has dropped since it kept statements. */
let dropped = 0;
const keptAfter = 10;

/**
 * To be called when a database was dropped. Of several together, because PostgreSQL reads the texts of all
 * statements that it has noted for it: keeps each statement on databases that are gone once, so that room is left
 * for those of others.
 */
export async function captureStatements(server: postgres.Sql): Promise<void> {
  dropped += 1;
  if (dropped < keptAfter) return;
  dropped = 0;
  // Named first: one that is dropped meanwhile is left for the next time.
  const gone = await server<{ dbid: number }[]>`
    select distinct dbid from pg_stat_statements(false) s
    where not exists (select from pg_database d where d.oid = s.dbid)`;
  const ids = gone.map(({ dbid }) => dbid);
  await server`
    insert into captured_statements
    select distinct on (md5(query)) md5(query), query from pg_stat_statements
    where dbid = any(${ids}::oid[]) and userid = (select oid from pg_roles where rolname = ${programRole})
    on conflict do nothing`;
  await server`select pg_stat_statements_reset(0, dbid, 0) from unnest(${ids}::oid[]) dbid`;
}

/** What a run of tests leaves. */
export interface CapturedStatements {
  readonly places: TablesByPlace;
  /** How many could not be kept; each may have been the only one of its kind. */
  readonly lost: number;
  /** Each once. */
  readonly statements: readonly string[];
}

export const readStatements = async (): Promise<CapturedStatements> =>
  JSON.parse(await readFile(capturedFile, 'utf8'));

/** At the end of a run, all of them: with `STATEMENTS=add` beside those of the run before. */
export async function writeStatements(url: string, places: TablesByPlace): Promise<void> {
  const server = postgres(url, { max: 1 });
  try {
    const rows = await server<{ query: string }[]>`
      select query from captured_statements
      union select query from pg_stat_statements where userid = (select oid from pg_roles where rolname = ${programRole})
      order by query`;
    const [info] = await server<{ lost: number }[]>`select dealloc::int as lost from pg_stat_statements_info`;
    const before = process.env['STATEMENTS'] === 'add' ? await readStatements() : undefined;
    const statements = new Set([...(before?.statements ?? []), ...rows.map(({ query }) => query)]);
    const lost = (before?.lost ?? 0) + (info?.lost ?? 0);
    const captured: CapturedStatements = { places, lost, statements: [...statements].sort() };
    await mkdir(dirname(capturedFile), { recursive: true });
    await writeFile(capturedFile, JSON.stringify(captured));
  } finally {
    await server.end();
  }
}
