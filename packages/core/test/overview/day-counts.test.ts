import { createOrganization } from '@dealkeep/core/accounts';
import { connect } from '@dealkeep/core/foundations';
import { ManualClock, testDatabase } from '@dealkeep/testing';
import { expect, onTestFinished, test } from 'vitest';
import { DayCounts } from '../../src/change/overview/overview.ts';

const clock = new ManualClock('2026-10-05T10:00:00Z');

/** An organization in Bratislava, two hours ahead of UTC, to which things happen at given moments. */
async function organization() {
  const { url } = await testDatabase();
  const sql = connect(url, { connections: 2, name: 'test' });
  onTestFinished(() => sql.end());
  const slug = 'counted';
  const { id } = await createOrganization({ sql, clock }, { name: 'Counted', slug });
  const happens = (...moments: string[]) => sql`
    insert into events (organization_id, id, type, record_id, occurred_at, envelope)
    select ${id}, gen_random_uuid()::text, 'lead.created', gen_random_uuid(), moment::timestamptz, '{}'
    from unnest(${moments}::text[]) as moment`;
  const tried = (moment: string, status: number | null) => sql`
    insert into attempts (organization_id, id, webhook_id, event_id, number, started_at, duration_ms, status)
    values (${id}, gen_random_uuid(), gen_random_uuid(), 'evt_1', 1, ${moment}, 1, ${status})`;
  const counts = new DayCounts();
  const last = (days: number) => counts.last({ sql, clock }, { id, timeZone: 'Europe/Bratislava' }, days);
  return { happens, tried, last };
}

test('a day is one of the time zone, and a day without anything counts nothing', async () => {
  const { happens, last } = await organization();
  await happens(
    '2026-10-03T21:59:59Z',
    '2026-10-03T22:00:00Z',
    '2026-10-05T09:00:00Z',
    '2026-10-02T12:00:00Z',
  );
  expect((await last(4)).map(({ day, events }) => [day, events])).toEqual([
    ['2026-10-02', 1],
    ['2026-10-03', 1],
    ['2026-10-04', 1],
    ['2026-10-05', 1],
  ]);
  expect((await last(3)).map(({ delivered, failed }) => delivered + failed)).toEqual([0, 0, 0]);
});

test('an attempt counts as delivered by its status alone', async () => {
  const { tried, last } = await organization();
  for (const status of [200, 299, 300, 500, null]) await tried('2026-10-05T08:00:00Z', status);
  expect(await last(1)).toEqual([{ day: '2026-10-05', events: 0, delivered: 2, failed: 3 }]);
});

test('today is counted anew, a day that is over once', async () => {
  const { happens, last } = await organization();
  await last(2);
  await happens('2026-10-04T08:00:00Z', '2026-10-05T08:00:00Z');
  expect((await last(2)).map(({ events }) => events)).toEqual([0, 1]);
});
