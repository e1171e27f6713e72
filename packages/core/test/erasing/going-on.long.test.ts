import { continueErasures } from '@dealkeep/core/records';
import { expect, test, vi } from 'vitest';
import { outOfTime, startErasing } from './erased-company.ts';
import { tracesIn } from './traces.ts';

test('what a request has no time for is done by a worker, part by part; asked again, it says how far it is', async () => {
  const { core, clock, company, sql, erase, addContacts, addEvents, ...dealkeep } = await startErasing();
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

test('any number of workers go on with it at once, and none does it twice', async () => {
  const { core, clock, sql, erase, addContacts, addEvents, ...dealkeep } = await startErasing();
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
