import type { TestDealkeep } from '@dealkeep/testing';
import type { Fragment } from '../../src/foundations/database/connect.ts';

/** What every personal text of a test holds, and nothing else in the database. */
export const trace = 'qmarkq';

const traceInBytes = Buffer.from(trace).toString('hex');

/**
 * The columns of all tables of all schemas, graphile-worker's among them, in which a row holds the trace: as text,
 * in JSON, in arrays or in bytes.
 */
export async function tracesIn({ sql }: Pick<TestDealkeep, 'sql'>): Promise<string[]> {
  const tables = await sql<{ schema: string; table: string; columns: string[] }[]>`
    select n.nspname as schema, c.relname as table, array_agg(a.attname::text order by a.attnum) as columns
    from pg_class c join pg_namespace n on n.oid = c.relnamespace join pg_attribute a on a.attrelid = c.oid
    where c.relkind in ('r', 'p', 'm') and a.attnum > 0 and not a.attisdropped
      and n.nspname not in ('pg_catalog', 'information_schema') and n.nspname not like 'pg_toast%'
    group by 1, 2 order by 1, 2`;
  const found: string[] = [];
  for (const { schema, table, columns } of tables) {
    const holds = (text: Fragment): Fragment =>
      sql`(lower(${text}) like ${`%${trace}%`} or ${text} like ${`%${traceInBytes}%`})`;
    const rows = sql`${sql(schema)}.${sql(table)} as one`;
    const [row] = await sql<{ found: boolean }[]>`
      select exists (select 1 from ${rows} where ${holds(sql`one::text`)}) as found`;
    if (!row?.found) continue;
    for (const name of columns) {
      const [column] = await sql<{ found: boolean }[]>`
        select exists (select 1 from ${rows} where ${holds(sql`one.${sql(name)}::text`)}) as found`;
      if (column?.found) found.push(`${table}.${name}`);
    }
  }
  return found;
}
