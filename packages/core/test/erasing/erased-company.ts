import { randomUUID } from 'node:crypto';
import { ManualClock, startDealkeep } from '@dealkeep/testing';
import { openBusiness } from '@dealkeep/testing/business';
import { vi } from 'vitest';
import { trace } from './traces.ts';

interface Erasure {
  id: string;
  finished_at: string | null;
  records: number;
  events: number;
}

/** A company that can be erased, on a Dealkeep whose clock a test moves. */
export async function startErasing() {
  const clock = new ManualClock();
  const dealkeep = await startDealkeep({ worker: false, clock });
  const business = await openBusiness(dealkeep);
  const { data: company } = await business.api.post('/companies', { name: `Acme ${trace}` });
  const { sql } = dealkeep;
  const organization = business.organization.id;
  return {
    ...dealkeep,
    clock,
    company: company.id,
    erase: async () => (await business.api.send<Erasure>('POST', `/companies/${company.id}/erase`)).data,
    addContacts: (count: number) => sql`
      insert into contacts (organization_id, id, company_id, name, note, created_at, updated_at)
      select ${organization}, gen_random_uuid(), ${company.id}, ${`Eva ${trace} `} || n, ${trace}, now(), now()
      from generate_series(1, ${count}::integer) n`,
    /** Events that name the company, as they are written at a moment. */
    addEvents: (count: number, at: string) => sql`
      insert into events (organization_id, id, type, record_id, occurred_at, envelope)
      select ${organization}, 'evt_' || replace(gen_random_uuid()::text, '-', ''), 'lead.updated', gen_random_uuid(), ${at},
             ${JSON.stringify({ data: { id: randomUUID(), company: { id: company.id, name: trace } } })}
      from generate_series(1, ${count}::integer)`,
  };
}

/** So that a request has no time for more than one part. */
export function outOfTime(): void {
  const before = performance.now.bind(performance);
  let ahead = 0;
  vi.spyOn(performance, 'now').mockImplementation(() => {
    ahead += 5_000;
    return before() + ahead;
  });
}
