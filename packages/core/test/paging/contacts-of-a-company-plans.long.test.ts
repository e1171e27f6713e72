import { startDealkeep } from '@dealkeep/testing';
import { expect, test } from 'vitest';
import { companies } from '../../src/records/companies/record.ts';

const { sql, createOrganization } = await startDealkeep({ worker: false });

test('a company is read with its own contacts, not with the 2,000 of its organization', async () => {
  const { id: organization } = await createOrganization();
  await sql`
    insert into companies (organization_id, id, name, created_at, updated_at)
    select ${organization}, gen_random_uuid(), 'Company ' || n, now(), now() from generate_series(1, 1000) n`;
  await sql`
    insert into contacts (organization_id, id, name, company_id, created_at, updated_at)
    select organization_id, gen_random_uuid(), 'Contact ' || n, id, now(), now()
    from companies cross join generate_series(1, 2) n where organization_id = ${organization}`;
  await sql`analyze companies, contacts`;
  const [any] = await sql<{ id: string }[]>`
    select id from companies where organization_id = ${organization} limit 1`;
  const rows = await sql<{ 'QUERY PLAN': string }[]>`
    explain (analyze, costs off, timing off) select ${companies.packed({ sql, organization })}
    from ${companies.from(sql)} where c.organization_id = ${organization} and c.id = ${any?.id ?? null}`;
  const plan = rows.map((row) => row['QUERY PLAN']).join('\n');
  expect(plan).toContain('contacts_company');
  expect(plan).not.toContain('Rows Removed by Filter');
});
