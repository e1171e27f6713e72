import { ManualClock, startDealkeep } from '@dealkeep/testing';
import { openSalon } from '@dealkeep/testing/business';
import { describe, expect, test } from 'vitest';
import { availabilityOf, bookAsOffered, freeOf, quarters, startsOf } from './offered-starts.ts';

const clock = new ManualClock('2026-03-20T08:07:00.000Z');
const dealkeep = await startDealkeep({ worker: false, clock });

describe('`GET /booking-services/{id}/availability?from&to&staff_id` (free starts in 15-minute steps, by the staff’s bookings)', () => {
  test('each offered start can be booked with each who is offered, and no other one (rule bookings 10)', async () => {
    // Around the beginnings and ends of what is booked; the whole day is tried by `availability.long.test.ts`.
    await bookAsOffered(dealkeep, [0, 1, 2, 32, 33, 36, 37, 38, 39, 41, 42, 43, 48, 52, 56, 64, 95]);
  });

  test('says when each ends, who is free then, and whose days they are', async () => {
    const salon = await openSalon(dealkeep);
    const eva = await salon.addStaff('Eva Malá');
    await salon.book('2026-03-24T08:00:00Z', { staff_id: salon.staff });
    const data = await availabilityOf(salon, { from: '2026-03-24', to: '2026-03-24' });
    expect(data).toMatchObject({
      service: { id: salon.service, name: 'Bike fitting' },
      duration_minutes: 60,
      time_zone: 'Europe/Bratislava',
    });
    const at = (moment: string) => data.starts.find((each) => each.starts_at === moment);
    const both = [
      { id: eva, name: 'Eva Malá' },
      { id: salon.staff, name: 'Marek Urban' },
    ];
    expect(at('2026-03-24T07:00:00.000Z')).toEqual({
      starts_at: '2026-03-24T07:00:00.000Z',
      ends_at: '2026-03-24T08:00:00.000Z',
      staff: both,
    });
    expect(at('2026-03-24T08:45:00.000Z')?.staff).toEqual(both.slice(0, 1));
    expect(at('2026-03-24T09:00:00.000Z')?.staff).toEqual(both);
    const alone = await startsOf(salon, { from: '2026-03-24', to: '2026-03-24', staff_id: salon.staff });
    expect(alone).not.toContain('2026-03-24T08:45:00.000Z');
    expect(alone).toContain('2026-03-24T09:00:00.000Z');
  });

  test('days of the organization’s time zone, of 23 and 25 hours where the clocks change', async () => {
    const salon = await openSalon(dealkeep);
    const day = (date: string) => startsOf(salon, { from: date, to: date });
    const usual = await day('2026-03-28');
    expect([usual.length, usual[0], usual.at(-1)]).toEqual([
      quarters,
      '2026-03-27T23:00:00.000Z',
      '2026-03-28T22:45:00.000Z',
    ]);
    const short = await day('2026-03-29');
    expect([short.length, short[0], short.at(-1)]).toEqual([
      quarters - 4,
      '2026-03-28T23:00:00.000Z',
      '2026-03-29T21:45:00.000Z',
    ]);
    expect(await day('2026-10-25')).toHaveLength(quarters + 4);
    const over = await startsOf(salon, { from: '2026-03-28', to: '2026-03-29' });
    expect(over).toEqual([...usual, ...short]);
  });

  test('past starts are not free; a week from today when nothing is said', async () => {
    const salon = await openSalon(dealkeep);
    const today = await startsOf(salon, { to: '2026-03-20' });
    expect(today[0]).toBe('2026-03-20T08:15:00.000Z');
    expect(await startsOf(salon, { from: '2026-03-01', to: '2026-03-19' })).toEqual([]);
    const week = await startsOf(salon, {});
    expect([week[0], week.at(-1)]).toEqual(['2026-03-20T08:15:00.000Z', '2026-03-26T22:45:00.000Z']);
  });

  test('what is too long, upside down or nobody is refused, naming the parameter and the mend', async () => {
    const salon = await openSalon(dealkeep);
    const other = await openSalon(dealkeep);
    const ask = async (query: string, { service } = salon) =>
      salon.api.send('GET', `/booking-services/${service}/availability${query}`);
    expect((await ask('?from=2026-04-01&to=2026-05-01')).status).toBe(200);
    for (const [query, parameter, message] of [
      ['?from=2026-04-01&to=2026-05-02', 'to', 'At most 31 days'],
      ['?from=0001-01-01&to=9999-12-31', 'to', 'At most 31 days'],
      ['?from=2026-04-02&to=2026-04-01', 'to', 'before the start'],
      ['?to=2026-01-01', 'to', 'before the start'],
      ['?from=tomorrow', 'from', 'date'],
      ['?from=2026-02-30', 'from', 'date'],
      [`?staff_id=${other.staff}`, 'staff_id', ''],
      ['?staff_id=Eva', 'staff_id', ''],
    ] as const) {
      const refused = await ask(query);
      expect([query, refused.outcome]).toEqual([query, '400 INVALID_PARAMETER']);
      expect(JSON.stringify(refused.error)).toContain(`"parameter":"${parameter}"`);
      expect(JSON.stringify(refused.error)).toContain(message);
    }
    expect((await ask('', other)).outcome).toBe('404 NOT_FOUND');
    expect((await ask('?from=9999-12-31')).status).toBe(200);
  });

  test('neither a service that is archived nor staff who are; an organization without staff books without (rule bookings 10)', async () => {
    const salon = await openSalon(dealkeep);
    const { api, service, staff, organization } = salon;
    const archive = async (table: string, id: string) => {
      await dealkeep.sql`update ${dealkeep.sql(table)} set archived_at = now() where id = ${id}`;
      await dealkeep.sql`
        update organizations set directory_version = directory_version + 1 where id = ${organization.id}`;
    };
    await salon.book('2026-03-24T08:00:00Z', { staff_id: staff });
    await archive('booking_staff', staff);
    const path = `/booking-services/${service}/availability`;
    expect((await api.send('GET', `${path}?staff_id=${staff}`)).outcome).toBe('400 INVALID_PARAMETER');
    const free = await freeOf(salon, { from: '2026-03-24', to: '2026-03-24' });
    expect(free).toHaveLength(quarters);
    expect(new Set(free.map((each) => each.staff.length))).toEqual(new Set([0]));
    expect((await salon.book('2026-03-24T08:00:00Z')).status).toBe(201);
    await archive('booking_services', service);
    expect((await api.send('GET', path)).outcome).toBe('404 NOT_FOUND');
  });
});
