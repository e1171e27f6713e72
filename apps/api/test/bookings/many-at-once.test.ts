import type { Booking } from '@dealkeep/contract';
import { sharedDealkeep } from '@dealkeep/testing';
import { openSalon } from '@dealkeep/testing/business';
import { expect, test } from 'vitest';

const dealkeep = await sharedDealkeep();

const overlap = (one: Booking, other: { starts_at: string; ends_at: string }): boolean =>
  one.starts_at < other.ends_at && other.starts_at < one.ends_at;

test('of thirty that ask at once for times of a morning no two overlap, and each refusal has its reason', async () => {
  const { api, book, staff, addStaff, service, addService, eventTypes } = await openSalon(dealkeep);
  const people = [staff, await addStaff('Jana')];
  const services = [service, await addService({ duration_minutes: 20 })];
  const minutes = [60, 20];
  const asked = Array.from({ length: 30 }, (_, number) => {
    const starts = Date.UTC(2031, 4, 5, 8) + ((number * 37) % 240) * 60_000;
    return {
      starts_at: new Date(starts).toISOString(),
      ends_at: new Date(starts + (minutes[number % 2] ?? 0) * 60_000).toISOString(),
      staff_id: people[Math.floor(number / 2) % 2] ?? '',
      service_id: services[number % 2] ?? '',
    };
  });
  const answers = await Promise.all(
    asked.map(({ starts_at, staff_id, service_id }) => book(starts_at, { staff_id, service_id })),
  );

  const bookings = await api.walk('/bookings');
  const refused = asked.filter((_, index) => answers[index]?.outcome === '409 CONFLICT');
  expect(bookings.length + refused.length).toBe(asked.length);
  expect(refused.length).toBeGreaterThan(0);
  expect(bookings.length).toBeGreaterThan(4);
  expect(await eventTypes()).toEqual(bookings.map(() => 'booking.created'));
  for (const person of people) {
    const own = bookings.filter((booking) => booking.staff?.id === person);
    for (const [index, one] of own.entries()) {
      for (const other of own.slice(index + 1)) expect(overlap(one, other)).toBe(false);
    }
    for (const time of refused.filter(({ staff_id }) => staff_id === person)) {
      expect(own.some((booking) => overlap(booking, time))).toBe(true);
    }
  }
});
