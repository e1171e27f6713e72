import { startDealkeep } from '@dealkeep/testing';
import { expect, test } from 'vitest';

test('what is searched for anywhere in a name is found along an index, not by reading every lead', async () => {
  const { sql, createOrganization, as } = await startDealkeep({ worker: false });
  const { id, key } = await createOrganization();
  await sql`
    insert into leads (organization_id, id, name, pipeline_id, stage_id, status, stage_entered_at, created_at, updated_at)
    select ${id}, gen_random_uuid(), case n when 1 then 'Žltý 100 % kôň' else 'Fleet renewal ' || n end, pipeline_id, id,
           'open', now(), now() - n * interval '1 s', now()
    from (select pipeline_id, id from stages where organization_id = ${id} and kind = 'open' limit 1) stage,
         generate_series(1, 20000) n`;
  await sql`analyze leads`;
  const plan = await sql<{ 'QUERY PLAN': string }[]>`
    explain select id from leads l where l.organization_id = ${id} and l.name ilike ${'%seldom%'}
    order by l.created_at desc, l.id desc limit 51`;
  expect(plan.map((row) => row['QUERY PLAN']).join('\n')).toContain('leads_searched');
  for (const [q, found] of [
    ['ltý 100 % K', 1],
    ['ŽLT', 1],
    ['100 %%', 0],
    ['l 19999', 1],
    ['_', 0],
    ['kô', 1],
  ]) {
    expect(
      (await as(key).get(`/leads?${new URLSearchParams({ q: String(q) })}`)).page.data,
      String(q),
    ).toHaveLength(Number(found));
  }
});
