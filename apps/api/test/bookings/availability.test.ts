import type { AnswerOf, Operations } from '@dealkeep/contract';
import { ManualClock, startDealkeep } from '@dealkeep/testing';
import { openSalon, type Salon } from '@dealkeep/testing/business';
import { describe, expect, test } from 'vitest';

const clock = new ManualClock('2026-03-20T08:07:00.000Z');
const dealkeep = await startDealkeep({ worker: false, clock });

type Availability = AnswerOf<Operations['booking-services.availability']>;
type Query = Readonly<Record<string, string>>;

const availabilityOf = async ({ api, service }: Salon, query: Query): Promise<Availability> => {
  const path = `/booking-services/${service}/availability?${new URLSearchParams(query)}`;
  return (await api.send<Availability>('GET', path)).data;
};
const freeOf = async (salon: Salon, query: Query) => (await availabilityOf(salon, query)).starts;
const startsOf = async (salon: Salon, query: Query) =>
  (await freeOf(salon, query)).map((each) => each.starts_at);
const quarters = 96;

describe('`GET /booking-services/{id}/availability?from&to&staff_id` (free starts in 15-minute steps, by the staff’s bookings)', () => {
  test('each offered start of a day can be booked with each who is offered, and no other one', async () => {
    const salon = await openSalon(dealkeep);
    const eva = await salon.addStaff('Eva Malá');
    // 60 minutes each: an odd one, one that only touches, one from the day before, and one that is given up.
    await salon.book('2026-03-24T08:20:00Z', { staff_id: salon.staff });
    await salon.book('2026-03-24T08:00:00Z', { staff_id: eva });
    await salon.book('2026-03-24T12:00:00Z', { staff_id: eva });
    await salon.book('2026-03-23T22:30:00Z', { staff_id: salon.staff });
    const given = (await salon.book('2026-03-24T15:00:00Z', { staff_id: eva })).data;
    await salon.api.post(`/bookings/${given.id}/cancel`);
    const free = await freeOf(salon, { from: '2026-03-24', to: '2026-03-24' });
    const offered = new Set(free.flatMap((each) => each.staff.map(({ id }) => `${each.starts_at} ${id}`)));
    expect(offered.size).toBeGreaterThan(quarters);
    const midnight = Date.parse('2026-03-23T23:00:00.000Z');
    for (let quarter = 0; quarter < quarters; quarter += 1) {
      const starts = new Date(midnight + quarter * 15 * 60_000).toISOString();
      for (const staff_id of [salon.staff, eva]) {
        const booked = await salon.book(starts, { staff_id });
        const told = [starts, staff_id, booked.status];
        expect(told).toEqual([starts, staff_id, offered.has(`${starts} ${staff_id}`) ? 201 : 409]);
        if (booked.status === 201) await salon.api.post(`/bookings/${booked.data.id}/cancel`);
      }
    }
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

  test('neither a service that is archived nor staff who are; an organization without staff books without', async () => {
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
