import { fillTable, startDealkeep } from '@dealkeep/testing';
import { openBusiness } from '@dealkeep/testing/business';
import { describe, expect, test } from 'vitest';
import { listsOfRecords } from './every-list.ts';
import { recordMakers } from './record-makers.ts';

/** Rows of each table, of which a half has no value in a column that may be without one. */
const rows = 20_000;
/** Buffers of 8 KiB that a page of ten may read. */
const most = 400;

const dealkeep = await startDealkeep({ worker: false });
const { sql } = dealkeep;
const business = await openBusiness(dealkeep);
const { api, organization } = business;
const makers = await recordMakers(dealkeep, business);
await sql`create extension if not exists pg_stat_statements`;

/** Small tables are read whole, and kept in memory. */
const large = listsOfRecords.filter(({ path }) =>
  [
    'companies',
    'contacts',
    'clients',
    'leads',
    'activities',
    'tasks',
    'invoices',
    'bookings',
    'orders',
    'products',
  ]
    .map((table) => `/${table}`)
    .includes(path),
);

/**
 * Fills a table with what one of its rows has, each time with other values in all columns that lists sort by. Of
 * those that may have no value every second has fifteen in all, so that the third page has none; the others lack
 * fifteen.
 */
async function fill(path: string, sorted: readonly string[]): Promise<void> {
  const maker = makers[path];
  if (!maker) throw new Error(`Nothing makes records of ${path}`);
  const { table, make } = maker;
  await make(1);
  const columns = await sql<{ name: string; type: string; nullable: boolean; unique: boolean }[]>`
    select attname as name, format_type(atttypid, null) as type, not attnotnull as nullable,
           atttypid = 'text'::regtype and exists (
             select from pg_index where indrelid = attrelid and indisunique and attnum = any(indkey)) as unique
    from pg_attribute where attrelid = ${table}::regclass and attnum > 0 and attgenerated = '' order by attnum`;
  const writtenAs: Readonly<Record<string, string>> = {
    text: `to_jsonb('Name ' || n)`,
    numeric: 'to_jsonb(n % 9973)',
    date: 'to_jsonb(current_date + n % 997)',
    'timestamp with time zone': `to_jsonb(now() + n % 9973 * interval '1 hour')`,
  };
  const emptied = columns.filter(({ name, nullable }) => nullable && sorted.includes(name));
  const values = columns.flatMap((column) => {
    const { name, type, unique } = column;
    if (unique) return [`'${name}', 'unlike ' || n`];
    if (!sorted.includes(name)) return [];
    const value = writtenAs[type];
    if (!value) throw new Error(`No value for ${type}`);
    const some = emptied.indexOf(column) % 2 === 0 ? 'n <= 15' : 'n > 15';
    return [
      `'${name}', ${column.nullable ? `case when ${some} then ${value} else 'null'::jsonb end` : value}`,
    ];
  });
  // A company has one client.
  const each = table === 'clients' ? [`'company_id', company`, ...values] : values;
  const numbered =
    table === 'companies'
      ? sql`select null::uuid as company, n from generate_series(1, ${rows}) n`
      : sql`
        select id as company, row_number() over ()::integer as n from companies
        where organization_id = ${organization.id}`;
  const [first] = await sql<{ id: string }[]>`
    select id from ${sql(table)} where organization_id = ${organization.id} limit 1`;
  await fillTable(
    sql,
    table,
    (tx) => tx`
      insert into ${tx(table)} (${sql(columns.map(({ name }) => name))})
      select ${tx.unsafe(columns.map(({ name }) => `made.${name}`).join(', '))}
      from ${tx(table)} base
      cross join (${numbered}) numbered
      cross join lateral jsonb_populate_record(base, jsonb_build_object('id', gen_random_uuid(), 'is_primary', false,
        ${tx.unsafe(each.map((pair) => `${pair},`).join(' '))}
        'created_at', now() - n * interval '1 s', 'updated_at', now() - n % 997 * interval '1 min')) made
      where base.organization_id = ${organization.id} and base.id = ${first?.id ?? ''}
      on conflict do nothing`,
  );
  await sql`vacuum analyze ${sql(table)}`;
}

/** Buffers that statements have read in this database so far. */
async function read(): Promise<number> {
  const [sum] = await sql<{ buffers: number }[]>`
    select sum(shared_blks_hit + shared_blks_read)::float as buffers from pg_stat_statements
    where dbid = (select oid from pg_database where datname = current_database())
      and query not like '%pg_stat_statements%'`;
  return sum?.buffers ?? 0;
}

describe.each(large)('$path', ({ path, sorts }) => {
  test('the first page and those further on read few pages of the table, by every sort', async () => {
    await fill(path, [...new Set(sorts.map((sort) => sort.replace(/^-/, '')))]);
    const dear: unknown[] = [];
    for (const sort of sorts) {
      let cursor = '';
      for (const page of ['the first', 'the second', 'the third']) {
        const before = await read();
        const answer = await api.get(`${path}?limit=10&sort=${sort}${cursor}`);
        const buffers = (await read()) - before;
        if (buffers > most) dear.push({ sort, page, buffers });
        cursor = `&cursor=${answer.page.next_cursor}`;
      }
    }
    expect(dear).toEqual([]);
  });
});
