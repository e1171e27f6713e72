import { continueErasures } from '@dealkeep/core/records';
import { expect, test, vi } from 'vitest';
import { outOfTime, startErasing } from './erased-company.ts';
import { trace, tracesIn } from './traces.ts';

test('what was on its way is found by a second look two minutes later, and what comes after that stays (rule erasing 12)', async () => {
  const { core, clock, company, sql, erase, addEvents, ...dealkeep } = await startErasing();
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

test('what a request has no time for is done by a worker, and what was asked is answered with how far it is (rule erasing 2)', async () => {
  const { core, sql, erase, addContacts, ...dealkeep } = await startErasing();
  await addContacts(1);
  outOfTime();
  expect(await erase()).toMatchObject({ finished_at: null, records: 2, events: 0 });
  vi.restoreAllMocks();
  expect(await continueErasures(core)).toBe(1);
  expect(await tracesIn({ sql, ...dealkeep })).toEqual([]);
  const [entry] = await sql`select counts, finished_at is not null as finished from erasures`;
  expect(entry).toMatchObject({ finished: true, counts: { records: 2, events: 1 } });
});
