import type { Statements } from './connect.ts';

/** What a database cannot do with our texts, and how to fix it. */
export interface LackOfTexts {
  readonly lack: string;
  readonly mend: string;
}

/** By which names are sorted and searches are folded, whatever the locale of the database. */
const neededCollations = ['sk-x-icu', 'und-x-icu'];

/**
 * What keeps a database from holding our texts; undefined where nothing does. Its locale does not matter
 * (docs/decisions/0065-one-comparison-form.md): its encoding does, and the collations that a PostgreSQL built
 * without ICU lacks.
 */
export async function lackOfTexts(sql: Statements): Promise<LackOfTexts | undefined> {
  const [row] = await sql<{ encoding: string; missing: string[] }[]>`
    select pg_encoding_to_char(encoding) as encoding,
           array(select name from unnest(${neededCollations}::text[]) as name
                 where not exists (select from pg_collation where collname = name)) as missing
    from pg_database where datname = current_database()`;
  if (row && row.encoding !== 'UTF8') {
    return {
      lack: `the database is encoded in ${row.encoding}`,
      mend: "Create one in UTF-8, with any locale that allows it: `create database … template template0 encoding 'UTF8' locale 'C'`.",
    };
  }
  if (row && row.missing.length > 0) {
    return {
      lack: `PostgreSQL lacks the collations ${row.missing.join(', ')}`,
      mend: "Take a PostgreSQL that is built with ICU, as the usual packages are. Where it is, an administrator adds them in this database: `select pg_import_system_collations('pg_catalog')`.",
    };
  }
  return undefined;
}
