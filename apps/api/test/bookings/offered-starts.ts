import type { AnswerOf, Operations } from '@dealkeep/contract';
import type { TestDealkeep } from '@dealkeep/testing';
import { openSalon, type Salon } from '@dealkeep/testing/business';
import { expect } from 'vitest';

export type Availability = AnswerOf<Operations['booking-services.availability']>;
export type Query = Readonly<Record<string, string>>;

export const availabilityOf = async ({ api, service }: Salon, query: Query): Promise<Availability> => {
  const path = `/booking-services/${service}/availability?${new URLSearchParams(query)}`;
  return (await api.send<Availability>('GET', path)).data;
};
export const freeOf = async (salon: Salon, query: Query) => (await availabilityOf(salon, query)).starts;
export const startsOf = async (salon: Salon, query: Query) =>
  (await freeOf(salon, query)).map((each) => each.starts_at);
/** Of an hour, in a day. */
export const quarters = 96;

/** Books at these quarters of a day with each of two, and expects what was offered. */
export async function bookAsOffered(dealkeep: TestDealkeep, tried: readonly number[]): Promise<void> {
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
  for (const quarter of tried) {
    const starts = new Date(midnight + quarter * 15 * 60_000).toISOString();
    for (const staff_id of [salon.staff, eva]) {
      const booked = await salon.book(starts, { staff_id });
      const told = [starts, staff_id, booked.status];
      expect(told).toEqual([starts, staff_id, offered.has(`${starts} ${staff_id}`) ? 201 : 409]);
      if (booked.status === 201) await salon.api.post(`/bookings/${booked.data.id}/cancel`);
    }
  }
}
