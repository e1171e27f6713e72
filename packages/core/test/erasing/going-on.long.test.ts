import { randomUUID } from 'node:crypto';
import { continueErasures } from '@dealkeep/core';
import { ManualClock, startDealkeep } from '@dealkeep/testing';
import { openBusiness } from '@dealkeep/testing/business';
import { expect, test, vi } from 'vitest';
import { trace, tracesIn } from './traces.ts';

interface Erasure {
  id: string;
  finished_at: string | null;
  records: number;
  events: number;
}

async function start() {
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
function outOfTime(): void {
  const before = performance.now.bind(performance);
  let ahead = 0;
  vi.spyOn(performance, 'now').mockImplementation(() => {
    ahead += 5_000;
    return before() + ahead;
  });
}

test('what a request has no time for is done by a worker, part by part; asked again, it says how far it is', async () => {
  const { core, clock, company, sql, erase, addContacts, addEvents, ...dealkeep } = await start();
  await addContacts(2_500);
  await addEvents(1_200, clock.now().toISOString());
  outOfTime();
  const first = await erase();
  expect(first).toMatchObject({ finished_at: null, records: 1_001, events: 0 });
  const [named] = await sql`select name from companies where id = ${company}`;
  expect(named).toEqual({ name: '[erased]' });
  const second = await erase();
  expect(second).toMatchObject({ id: first.id, finished_at: null, records: 2_001, events: 0 });
  vi.restoreAllMocks();

  expect(await continueErasures(core)).toBe(1);
  expect(await tracesIn({ sql, ...dealkeep })).toEqual([]);
  const [entry] = await sql`select counts, finished_at is not null as finished from erasures`;
  expect(entry).toEqual({
    finished: true,
    counts: { records: 2_501, events: 1_201, deliveries: 0, attempts: 0, answers: 0 },
  });
});

test('what was on its way is found by a second look two minutes later, and what comes after that stays', async () => {
  const { core, clock, company, sql, erase, addEvents, ...dealkeep } = await start();
  const requested = clock.now();
  expect((await erase()).finished_at).not.toBeNull();
  // Of a transaction that had read the company before, and of an attempt that ended afterwards.
  await addEvents(1, requested.toISOString());
  await sql`
    insert into attempts (organization_id, id, webhook_id, event_id, number, started_at, duration_ms, response_start)
    select organization_id, gen_random_uuid(), gen_random_uuid(), id, 1, now(), 5, ${trace} from events`;
  clock.advance(119_000);
  expect(await continueErasures(core)).toBe(0);
  expect(await tracesIn({ sql, ...dealkeep })).toEqual(['attempts.response_start', 'events.envelope']);
  clock.advance(1_000);
  expect(await continueErasures(core)).toBe(1);
  expect(await tracesIn({ sql, ...dealkeep })).toEqual([]);
  expect(await continueErasures(core)).toBe(0);
  expect(await sql`select from erasing_records`).toHaveLength(0);

  clock.advance(1_000);
  await addEvents(1, clock.now().toISOString());
  await erase();
  clock.advance(120_000);
  await addEvents(1, clock.now().toISOString());
  await addEvents(1, new Date(clock.now().getTime() + 1).toISOString());
  await continueErasures(core);
  const [left] = await sql`select count(*)::integer as count from events where envelope like ${`%${trace}%`}`;
  expect([company.length, left]).toEqual([36, { count: 1 }]);
});

test('any number of workers go on with it at once, and none does it twice', async () => {
  const { core, clock, sql, erase, addContacts, addEvents, ...dealkeep } = await start();
  await addContacts(1_500);
  await addEvents(1_200, clock.now().toISOString());
  outOfTime();
  await erase();
  vi.restoreAllMocks();
  const ended = await Promise.all([continueErasures(core), continueErasures(core), continueErasures(core)]);
  expect(ended.reduce((sum, each) => sum + each)).toBe(1);
  expect(await tracesIn({ sql, ...dealkeep })).toEqual([]);
  const [entry] = await sql`select counts from erasures`;
  expect(entry?.['counts']).toMatchObject({ records: 1_501, events: 1_201 });
});
