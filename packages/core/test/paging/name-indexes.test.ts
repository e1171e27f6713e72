import { sharedDealkeep } from '@dealkeep/testing';
import { expect, test } from 'vitest';
import { textOrder } from '../../src/change/paging/list-page.ts';

const { sql } = await sharedDealkeep();

test.each([
  ['companies', 'name', 'companies_by_name'],
  ['contacts', 'name', 'contacts_by_name'],
  ['leads', 'name', 'leads_by_name'],
  ['tasks', 'title', 'tasks_by_title'],
  ['products', 'name', 'products_by_name'],
])('%s have an index of their order by %s, and none of an older one', async (table, column, index) => {
  const indexes = await sql<{ name: string; definition: string }[]>`
    select indexname as name, indexdef as definition from pg_indexes
    where schemaname = 'public' and tablename = ${table}`;
  const byName = indexes.filter(({ definition }) =>
    definition.includes(`(organization_id, ${column} COLLATE`),
  );
  expect(byName.map(({ name }) => name)).toEqual([index]);
  expect(byName[0]?.definition).toContain(textOrder.replace('collate', 'COLLATE'));
  const [valid] = await sql`
    select indisvalid from pg_index where indexrelid = ${`public.${index}`}::regclass`;
  expect(valid).toEqual({ indisvalid: true });
});
