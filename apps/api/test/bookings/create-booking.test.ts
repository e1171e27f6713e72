import { randomUUID } from 'node:crypto';
import { type ApiClient, sharedDealkeep } from '@dealkeep/testing';
import { openSalon, recordText } from '@dealkeep/testing/business';
import { describe, expect, test } from 'vitest';
import { addClient } from '../console-edits.ts';

const dealkeep = await sharedDealkeep();

describe('create', () => {
  test('with every field; the end and the price follow from the service (rules bookings 2, 3 and 6)', async () => {
    const { api, service, staff, organization } = await openSalon(dealkeep);
    const booking = await api.post('/bookings', {
      service_id: service,
      starts_at: '2026-10-06T11:00:00+02:00',
      customer: { name: ' Eva Šimková ', email: ' eva@customer.example ', phone: '+421 905 654 321' },
      staff_id: staff,
      notes: 'First visit.',
    });
    expect(booking.status).toBe(201);
    expect(booking.data).toEqual({
      id: expect.any(String),
      status: 'pending',
      source: 'api',
      starts_at: '2026-10-06T09:00:00.000Z',
      ends_at: '2026-10-06T10:00:00.000Z',
      confirmed_at: null,
      completed_at: null,
      cancelled_at: null,
      cancellation_reason: null,
      price: 45,
      currency: 'EUR',
      client: null,
      lead: null,
      service: { id: service, name: 'Bike fitting' },
      staff: { id: staff, name: 'Marek Urban' },
      customer: {
        name: 'Eva Šimková',
        email: 'eva@customer.example',
        phone: '+421 905 654 321',
        company: null,
        notes: 'First visit.',
      },
      created_at: expect.stringMatching(/\.\d{3}Z$/),
      app_url: `http://localhost:3000/bookings/${booking.data.id}`,
    });
    const read = await api.get(`/bookings/${booking.data.id}`);
    expect(read.text).toBe(booking.text);
    const events = await dealkeep.eventsOf(organization);
    expect(events.map(({ type }) => type)).toEqual(['booking.created']);
    expect(events[0]?.dataText).toBe(recordText(read.text));
    expect(JSON.stringify((await api.get('/bookings')).page.data[0])).toBe(recordText(read.text));
  });

  test('with what is required alone; null equals absent; a service may have no price', async () => {
    const { book, addService } = await openSalon(dealkeep);
    const bare = (await book('2026-10-06T09:00:00Z')).data;
    expect(bare).toMatchObject({ staff: null, customer: { email: null, phone: null, notes: null } });
    const free = await addService({ name: 'Advice', duration_minutes: 20, price: null });
    const nulls = await book('2026-10-06T09:00:00Z', {
      service_id: free,
      customer: { name: 'Eva', email: null, phone: null },
      staff_id: null,
      notes: null,
    });
    expect(nulls.data).toMatchObject({ price: null, ends_at: '2026-10-06T09:20:00.000Z' });
  });

  test('names all failing fields at once (rule bookings 1)', async () => {
    const { api, book } = await openSalon(dealkeep);
    expect((await api.post('/bookings', { customer: {} })).fields).toEqual({
      service_id: 'required',
      starts_at: 'required',
      'customer.name': 'required',
    });
    expect(
      (await book('2026-10-06T09:00:00Z', { service_id: randomUUID(), staff_id: randomUUID() })).fields,
    ).toEqual({ service_id: 'not_found', staff_id: 'not_found' });
    const wrong = await book('2026-02-30T09:00:00Z', {
      customer: { name: 'x'.repeat(256), email: 'eva', phone: '1'.repeat(51), company: 'x' },
      notes: 'x'.repeat(2001),
    });
    expect(wrong.fields).toEqual({
      starts_at: 'invalid_date_time',
      'customer.name': 'too_long',
      'customer.email': 'invalid_email',
      'customer.phone': 'too_long',
      'customer.company': 'unknown',
      notes: 'too_long',
    });
    expect((await book('2026-10-06T09:00:00')).fields).toEqual({ starts_at: 'invalid_date_time' });
  });

  test('an end after the year 9999 is no moment', async () => {
    const { book } = await openSalon(dealkeep);
    expect((await book('9999-12-31T23:30:00Z')).fields).toEqual({ starts_at: 'invalid_date_time' });
    expect((await book('9999-12-31T22:59:59.999Z')).data.ends_at).toBe('9999-12-31T23:59:59.999Z');
    expect((await book('0001-01-02T00:00:00Z')).data.starts_at).toBe('0001-01-02T00:00:00.000Z');
  });

  test('services and people of another organization do not exist', async () => {
    const [one, other] = await Promise.all([openSalon(dealkeep), openSalon(dealkeep)]);
    const foreign = { service_id: other.service, staff_id: other.staff };
    expect((await one.book('2026-10-06T09:00:00Z', foreign)).fields).toEqual({
      service_id: 'not_found',
      staff_id: 'not_found',
    });
    const { id } = (await other.book('2026-10-06T09:00:00Z')).data;
    expect((await one.api.get(`/bookings/${id}`)).outcome).toBe('404 NOT_FOUND');
    expect((await one.api.post(`/bookings/${id}/cancel`)).outcome).toBe('404 NOT_FOUND');
  });
});

describe('the client of a booking', () => {
  const contactOf = async (api: ApiClient, company: string, email: string) => {
    const { id } = (await api.post('/companies', { name: company })).data;
    await api.post('/contacts', { company_id: id, name: 'Eva', email });
    return id;
  };

  test("is the one whose contact has the customer's e-mail (rule bookings 4)", async () => {
    const { api, book, organization } = await openSalon(dealkeep);
    const acme = await contactOf(api, 'Acme', 'Eva@Acme.example');
    const client = await addClient({ dealkeep, organization }, acme);
    await contactOf(api, 'No client', 'eva@acme.example');
    const customer = { name: 'Eva', email: 'eva@acme.EXAMPLE' };
    expect((await book('2026-10-06T09:00:00Z', { customer })).data).toMatchObject({
      client: { id: client, name: 'Acme' },
      lead: null,
    });
  });

  test('is nobody when no client or several have it, or no e-mail is given (rule bookings 4)', async () => {
    const { api, book, organization } = await openSalon(dealkeep);
    for (const name of ['Acme', 'Beta']) {
      await addClient({ dealkeep, organization }, await contactOf(api, name, 'shared@acme.example'));
    }
    await contactOf(api, 'No client', 'alone@acme.example');
    for (const email of ['shared@acme.example', 'alone@acme.example', 'unknown@acme.example', null]) {
      const { data } = await book('2026-10-06T09:00:00Z', { customer: { name: 'Eva', email } });
      expect([email, data.client]).toEqual([email, null]);
    }
  });
});

describe('a staff member is booked once at a time', () => {
  test.each([
    ['the same time', '2026-10-06T09:00:00Z', '409 CONFLICT'],
    ['the last minute', '2026-10-06T09:59:59.999Z', '409 CONFLICT'],
    ['an end a moment after the start', '2026-10-06T08:00:00.001Z', '409 CONFLICT'],
    ['the same time in another zone', '2026-10-06T11:30:00+02:00', '409 CONFLICT'],
    ['the end', '2026-10-06T10:00:00Z', '201'],
    ['an end at the start', '2026-10-06T08:00:00Z', '201'],
  ])('%s', async (_, startsAt, outcome) => {
    const { book, staff } = await openSalon(dealkeep);
    expect((await book('2026-10-06T09:00:00Z', { staff_id: staff })).status).toBe(201);
    const second = await book(startsAt, { staff_id: staff });
    expect(second.outcome).toBe(outcome);
    if (outcome !== '201') expect(second.error.message).toContain('already booked');
  });

  test('other people, nobody in particular, and other organizations are not in the way', async () => {
    const [one, other] = await Promise.all([openSalon(dealkeep), openSalon(dealkeep)]);
    const colleague = await one.addStaff('Jana');
    const time = '2026-10-06T09:00:00Z';
    const answers = [
      await one.book(time, { staff_id: one.staff }),
      await one.book(time, { staff_id: colleague }),
      await one.book(time),
      await one.book(time),
      await other.book(time, { staff_id: other.staff }),
    ];
    expect(answers.map(({ status }) => status)).toEqual([201, 201, 201, 201, 201]);
  });

  test('of sixteen that ask at once one gets the time, and one event says so (rule bookings 5)', async () => {
    const { book, staff, eventTypes, api } = await openSalon(dealkeep);
    const answers = await Promise.all(
      Array.from({ length: 16 }, (_, index) =>
        book(`2026-10-06T09:${String(index).padStart(2, '0')}:00Z`, { staff_id: staff }),
      ),
    );
    expect(answers.map(({ outcome }) => outcome).toSorted()).toEqual([
      '201',
      ...Array.from({ length: 15 }, () => '409 CONFLICT'),
    ]);
    expect(await eventTypes()).toEqual(['booking.created']);
    expect((await api.get('/bookings')).page.data).toHaveLength(1);
  });

  test('a refusal is repeated for the same idempotency key, and a time freed meanwhile needs a new one', async () => {
    const { api, book, service, staff } = await openSalon(dealkeep);
    const { id } = (await book('2026-10-06T09:00:00Z', { staff_id: staff })).data;
    const wanted = {
      service_id: service,
      staff_id: staff,
      starts_at: '2026-10-06T09:30:00Z',
      customer: { name: 'Eva' },
    };
    const ask = (key: string) => api.post('/bookings', wanted, { 'Idempotency-Key': key });
    expect((await ask('first')).outcome).toBe('409 CONFLICT');
    await api.post(`/bookings/${id}/cancel`);
    expect((await ask('first')).outcome).toBe('409 CONFLICT');
    expect((await ask('second')).outcome).toBe('201');
  });
});
