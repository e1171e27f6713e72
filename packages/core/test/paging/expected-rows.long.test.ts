import { fillTable, startDealkeep } from '@dealkeep/testing';
import { expect, test } from 'vitest';
import { hasEmail } from '../../src/change/paging/search.ts';

test('PostgreSQL expects as many leads in a stage and of an owner as there are', async () => {
  const { sql, createOrganization } = await startDealkeep({ worker: false });
  const organizations = await Promise.all(Array.from({ length: 8 }, () => createOrganization()));
  const each = 200;
  for (const { id, ownerId } of organizations) {
    await sql`
      insert into leads (organization_id, id, pipeline_id, stage_id, owner_id, status, stage_entered_at, created_at, updated_at)
      select ${id}, gen_random_uuid(), pipeline_id, id, ${ownerId}, 'open', now(), now(), now()
      from (select pipeline_id, id from stages where organization_id = ${id} and kind = 'open' limit 1) stage,
           generate_series(1, ${each})`;
  }
  await sql`analyze leads`;
  const [organization] = organizations;
  for (const column of ['stage_id', 'pipeline_id', 'owner_id']) {
    const [row] = await sql<{ 'QUERY PLAN': [{ Plan: { 'Plan Rows': number } }] }[]>`
      explain (format json) select from leads
      where organization_id = ${organization?.id ?? ''}
        and ${sql(column)} = (select ${sql(column)} from leads where organization_id = ${organization?.id ?? ''} limit 1)`;
    expect(row?.['QUERY PLAN'][0].Plan['Plan Rows']).toBeGreaterThan(each / 2);
  }
});

test('contacts of an e-mail are found along its index, the table counted or not, although nobody has it', async () => {
  const { sql, createOrganization } = await startDealkeep({ worker: false });
  const { id: organization } = await createOrganization();
  const [company] = await sql<{ id: string }[]>`
    insert into companies (organization_id, id, name, created_at, updated_at)
    values (${organization}, gen_random_uuid(), 'Company', now(), now()) returning id`;
  const count = 50_000;
  await fillTable(
    sql,
    'contacts',
    (tx) => tx`
      insert into contacts (organization_id, id, company_id, name, email, created_at, updated_at)
      select ${organization}, gen_random_uuid(), ${company?.id ?? ''}, 'Contact', n || '@contacts.example',
             now() - n * interval '1 s', now()
      from generate_series(1, ${count}) n`,
  );
  const has = hasEmail(
    { sql, organization },
    { table: 'contacts', alias: 't' },
    'email',
    'nobody@contacts.example',
  );
  for (const counted of [false, true]) {
    if (counted) await sql`analyze contacts`;
    const rows = await sql<{ 'QUERY PLAN': string }[]>`
      explain (analyze, costs off, timing off, summary off) select id from contacts t
      where t.organization_id = ${organization} and ${has}
      order by t.created_at desc, t.id desc limit 2`;
    const plan = rows.map((row) => row['QUERY PLAN']).join('\n');
    expect(plan).toContain('contacts_compared_email');
    expect(plan).not.toContain('Rows Removed by Filter');
  }
});
