import { startDealkeep } from '@dealkeep/testing';
import { expect, test } from 'vitest';

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
