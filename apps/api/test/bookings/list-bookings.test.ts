import { randomUUID } from 'node:crypto';
import { inConsole, type Query, sharedDealkeep } from '@dealkeep/testing';
import { openSalon, type Salon } from '@dealkeep/testing/business';
import { beforeAll, describe, expect, test } from 'vitest';
import { addClient } from '../console-edits.ts';

const dealkeep = await sharedDealkeep();

let salon: Salon;
const ids: Record<string, string> = {};
beforeAll(async () => {
  salon = await openSalon(dealkeep);
  const { api, book, organization } = salon;
  const company = (await api.post('/companies', { name: 'Acme' })).data.id;
  await api.post('/contacts', { company_id: company, name: 'Eva', email: 'eva@acme.example' });
  ids['client'] = await addClient({ dealkeep, organization }, company);
  ids['haircut'] = await salon.addService({ name: 'Haircut', duration_minutes: 30 });
  const booked = async (name: string, startsAt: string, more: object = {}, email?: string) => {
    const { data } = await book(startsAt, { customer: { name, email }, ...more });
    ids[name] = data.id;
  };
  await booked('Eva', '2026-10-08T09:00:00Z', { staff_id: salon.staff }, 'Eva@acme.example');
  await booked('Ivan 100%', '2026-10-06T09:00:00Z', { service_id: ids['haircut'] });
  await booked('Žofia', '2026-10-07T09:00:00Z', {}, 'z@beta.example');
  await api.post(`/bookings/${ids['Žofia']}/cancel`);
  await inConsole(dealkeep.core, salon.name, 'bookings.confirm', { id: ids['Eva'] ?? '' });
});
const found = async (query: Query) =>
  (await salon.api.get('/bookings', { sort: 'created_at', ...query })).page.data.map(
    ({ customer }) => customer.name,
  );

describe('bookings (rule lists 8)', () => {
  test.each([
    [{}, ['Eva', 'Ivan 100%', 'Žofia']],
    [{ q: 'ŽOF' }, ['Žofia']],
    [{ q: 'ACME' }, ['Eva']],
    [{ q: '%' }, ['Ivan 100%']],
    [{ q: '' }, ['Eva', 'Ivan 100%', 'Žofia']],
    [{ status: 'pending' }, ['Ivan 100%']],
    [{ status: 'confirmed' }, ['Eva']],
    [{ status: 'cancelled' }, ['Žofia']],
    [{ status: 'no_show' }, []],
    [{ email: 'eva@ACME.example' }, ['Eva']],
    [{ email: 'acme@acme.example' }, []],
    [{ starts_after: '2026-10-06T09:00:00Z' }, ['Eva', 'Žofia']],
    [{ starts_before: '2026-10-08T11:00:00+02:00' }, ['Ivan 100%', 'Žofia']],
    [{ starts_after: '2026-10-06T10:00:00Z', starts_before: '2026-10-08T09:00:00Z' }, ['Žofia']],
    [{ sort: 'starts_at' }, ['Ivan 100%', 'Žofia', 'Eva']],
    [{ sort: '-starts_at' }, ['Eva', 'Žofia', 'Ivan 100%']],
    [{ sort: '-created_at' }, ['Žofia', 'Ivan 100%', 'Eva']],
    [{ sort: 'updated_at' }, ['Ivan 100%', 'Žofia', 'Eva']],
  ] satisfies [Query, string[]][])('%j', async (query, names) => {
    expect(await found(query)).toEqual(names);
  });

  test('by service, staff and client', async () => {
    expect(await found({ service_id: ids['haircut'] ?? '' })).toEqual(['Ivan 100%']);
    expect(await found({ staff_id: salon.staff })).toEqual(['Eva']);
    expect(await found({ client_id: ids['client'] ?? '' })).toEqual(['Eva']);
    for (const filter of ['service_id', 'staff_id', 'client_id']) {
      expect(await found({ [filter]: randomUUID() })).toEqual([]);
    }
  });

  test('page by page, by every sort', async () => {
    for (const sort of [
      'starts_at',
      '-starts_at',
      'created_at',
      '-created_at',
      'updated_at',
      '-updated_at',
    ]) {
      const whole = (await salon.api.get('/bookings', { sort })).page.data;
      expect(await salon.api.walk('/bookings', { sort, limit: 1 })).toEqual(whole);
    }
  });

  test('another filter or a bad value is refused', async () => {
    expect((await salon.api.get('/bookings', { lead_id: randomUUID() })).outcome).toBe(
      '400 UNSUPPORTED_FILTER',
    );
    for (const query of [
      { status: 'open' },
      { starts_after: 'today' },
      { staff_id: 'x' },
      { sort: 'ends_at' },
    ]) {
      expect((await salon.api.get('/bookings', query)).outcome).toBe('400 INVALID_PARAMETER');
    }
  });
});

describe('lookups', () => {
  test('booking services', async () => {
    const { api, service } = salon;
    const { data } = (await api.get('/booking-services', { sort: 'name' })).page;
    expect(data).toEqual([
      { id: service, name: 'Bike fitting', duration_minutes: 60, price: 45, currency: 'EUR' },
      { id: ids['haircut'], name: 'Haircut', duration_minutes: 30, price: 45, currency: 'EUR' },
    ]);
    expect((await api.get('/booking-services', { q: 'HAIR' })).page.data).toHaveLength(1);
    expect(
      (await api.walk('/booking-services', { sort: '-name', limit: 1 })).map(({ name }) => name),
    ).toEqual(['Haircut', 'Bike fitting']);
  });

  test('booking staff', async () => {
    const { api, addStaff, staff } = await openSalon(dealkeep);
    const jana = await addStaff('Jana', 'jana@salon.example');
    expect((await api.get('/booking-staff', { sort: 'name' })).page.data).toEqual([
      { id: jana, name: 'Jana', email: 'jana@salon.example' },
      { id: staff, name: 'Marek Urban', email: null },
    ]);
    expect((await api.get('/booking-staff', { q: 'urb' })).page.data.map(({ id }) => id)).toEqual([staff]);
  });

  test.each(['/bookings', '/booking-services', '/booking-staff'])('%s needs bookings:read', async (path) => {
    const reader = await salon.organization.createKey({ scopes: ['bookings:read'] });
    const other = await salon.organization.createKey({ scopes: ['bookings:write', 'orders:read'] });
    expect((await dealkeep.as(reader.token).get(path)).outcome).toBe('200');
    expect((await dealkeep.as(other.token).get(path)).outcome).toBe('403 FORBIDDEN');
    expect((await dealkeep.as(reader.token).post('/bookings', {})).outcome).toBe('403 FORBIDDEN');
  });
});
