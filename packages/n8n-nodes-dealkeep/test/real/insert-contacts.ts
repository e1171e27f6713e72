import type { TestDealkeep } from '@dealkeep/testing';
import type { Api } from './api.ts';

/** Creates many contacts at once, one millisecond after another, whose creation nobody is told of. */
export async function insertContacts({ sql }: TestDealkeep, api: Api, count: number): Promise<string[]> {
  const company = await api.create('/companies', { name: 'Large' });
  const rows = await sql`
    insert into contacts (organization_id, id, company_id, name, created_at, updated_at)
    select organization_id, gen_random_uuid(), id, 'Person ' || number, moment, moment
    from companies, generate_series(1, ${count}::int) as number,
      lateral (select date_trunc('milliseconds', now()) + number * interval '1 millisecond' as moment)
    where id = ${company}
    returning id`;
  return rows.map(({ id }) => String(id));
}
