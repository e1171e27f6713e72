import { startDealkeep } from '@dealkeep/testing';
import { expect, test } from 'vitest';
import { textOrder } from '../../src/paging/list-page.ts';

const { sql, createOrganization } = await startDealkeep({ worker: false });

test('100,000 companies are listed by name along an index, the first page and any other', async () => {
  const { id } = await createOrganization();
  // In parts: a statement has little time.
  for (let batch = 0; batch < 20; batch += 1) {
    await sql`
      insert into companies (organization_id, id, name, created_at, updated_at)
      select ${id}, gen_random_uuid(), (array['Čaj', 'acme', 'Žilina', 'Zvolen'])[1 + n % 4] || ' ' || n, now(), now()
      from generate_series(${batch * 5000 + 1}::integer, ${(batch + 1) * 5000}::integer) n`;
  }
  await sql`analyze companies`;
  const order = sql.unsafe(`c.name ${textOrder}`);
  for (const from of [sql``, sql`and (${order}, c.id) > ((select 'Zvolen 5'::text), (select ${id}::uuid))`]) {
    const rows = await sql<{ 'QUERY PLAN': string }[]>`
      explain select c.* from companies c where c.organization_id = ${id} ${from}
      order by ${order} asc, c.id asc limit 51`;
    const plan = rows.map((row) => row['QUERY PLAN']).join('\n');
    expect(plan).toContain('companies_by_name');
    expect(plan).not.toContain('Sort');
  }
});

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
