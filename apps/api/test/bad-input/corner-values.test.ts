import { sharedDealkeep } from '@dealkeep/testing';
import { openBusiness } from '@dealkeep/testing/business';
import { afterEach, describe, expect, test } from 'vitest';
import { rawRequest } from './raw-request.ts';

const dealkeep = await sharedDealkeep();
const { api, organization, eventTypes } = await openBusiness(dealkeep);

// Whatever was sent, nothing was done and nobody else is disturbed.
afterEach(async () => {
  expect((await api.get('/me')).status).toBe(200);
  expect(await eventTypes()).toEqual([]);
});

const nobody = '01985f6e-2c41-7d3a-9b52-4f0c8a7e1d63';
const many = <Value>(count: number, value: Value): Value[] => Array.from({ length: count }, () => value);
const people = many(51, organization.ownerId);
const item = { name: 'Bike', unit_price: 1 };
const booking = { service_id: nobody, customer: { name: 'Eva' } };
const ordered = { sku: 'X', quantity: 1, unit_price: 1 };

/** A bad value in a body that is good otherwise; the path of the field and its code. */
const bodies: [path: string, body: object, field: string, code: string][] = [
  ['/leads', { expected_close_date: '2026-02-30' }, 'expected_close_date', 'invalid_date'],
  ['/tasks', { title: 'x', due_date: '2026-02-30' }, 'due_date', 'invalid_date'],
  ['/tasks', { title: 'x', due_time: '24:00' }, 'due_time', 'invalid_time'],
  ['/invoices', { items: [item], issued_date: '2027-02-29' }, 'issued_date', 'invalid_date'],
  [
    '/clients',
    { company_id: nobody, reference_valid_until: '2026-04-31' },
    'reference_valid_until',
    'invalid_date',
  ],
  ...[
    '2026-02-30T00:00:00Z',
    '2026-10-01T09:30:00',
    '2026-10-01',
    '294277-01-01T00:00:00Z',
    '+294277-01-01T00:00:00Z',
    '-4714-01-01T00:00:00Z',
    '0000-12-31T00:00:00Z',
    '9999-12-31T23:59:59-00:01',
    '0001-01-01T00:00:00+00:01',
    '2026-10-01T09:30:00+24:00',
    '2026-10-01T24:00:00Z',
    'infinity',
    1_790_000_000,
  ].flatMap((moment): [string, object, string, string][] => {
    const code = typeof moment === 'number' ? 'invalid_type' : 'invalid_date_time';
    return [
      ['/activities', { name: 'x', start_at: moment }, 'start_at', code],
      ['/bookings', { ...booking, starts_at: moment }, 'starts_at', code],
    ];
  }),
  ['/leads', { value: '1' }, 'value', 'invalid_type'],
  ['/leads', { value: 'NaN' }, 'value', 'invalid_type'],
  ['/leads', { value: 1e308 }, 'value', 'too_big'],
  ['/invoices', { items: [{ ...item, unit_price: '1' }] }, 'items[0].unit_price', 'invalid_type'],
  ['/invoices', { items: [{ ...item, quantity: 1e308 }] }, 'items[0].quantity', 'too_big'],
  ['/orders', { customer: {}, items: [{ ...ordered, quantity: 1e308 }] }, 'items[0].quantity', 'too_big'],
  ['/orders', { customer: {}, items: [ordered], shipping_cost: '1' }, 'shipping_cost', 'invalid_type'],
  ['/leads', { assignee_ids: people }, 'assignee_ids', 'too_many'],
  ['/tasks', { title: 'x', assignee_ids: people }, 'assignee_ids', 'too_many'],
  ['/invoices', { items: many(101, item) }, 'items', 'too_many'],
  ['/invoices', { items: [] }, 'items', 'too_few'],
  ['/orders', { customer: {}, items: [] }, 'items', 'too_few'],
];
test.each(bodies)(
  'POST %s with %j: %s is %s (rules bodies 18, 19 and 22)',
  async (path, body, field, code) => {
    const refused = await api.post(path, body);
    expect(refused.outcome).toBe('422 VALIDATION_ERROR');
    expect(refused.fields).toMatchObject({ [field]: code });
  },
);

test.each(['0', '101', '1.5', '1e1', '%C2%B2'])('a page of %s records', async (limit) => {
  const refused = await api.send('GET', `/leads?limit=${limit}`);
  expect(refused.outcome).toBe('400 INVALID_PARAMETER');
  expect(refused.error.detail).toEqual({ parameter: 'limit' });
});

test.each([
  '{"value":NaN}',
  '{"value":Infinity}',
  '{"value":01}',
  '{"value":+1}',
  '{"value":0x10}',
  '{"name":"a","name":"b",}',
])('%s is no JSON', async (body) => {
  const refused = await api.send('POST', '/leads', { body, headers: { 'Content-Type': 'application/json' } });
  expect(refused.outcome).toBe('400 BAD_REQUEST');
});

describe('a key of JSON that means something to JavaScript', () => {
  test.each([
    ['{"__proto__":{"name":"x"}}', '__proto__'],
    ['{"constructor":{"prototype":{"name":"x"}}}', 'constructor'],
    ['{"company":{"name":"x","__proto__":{"email":"x@y.example"}}}', 'company.__proto__'],
    ['{"name":"a","name":5}', 'name'],
    ['{"toString":1}', 'toString'],
  ])('%s: %s is refused by its name', async (body, field) => {
    const refused = await api.send('POST', '/leads', {
      body,
      headers: { 'Content-Type': 'application/json' },
    });
    expect(Object.keys(refused.fields)).toEqual([field]);
    expect(Object.getOwnPropertyNames(Object.prototype)).not.toContain('name');
  });

  test('among values by name it is refused as a name that there is not', async () => {
    const refused = await api.send('POST', '/companies', {
      body: '{"name":"x","custom_fields":{"__proto__":"y"}}',
      headers: { 'Content-Type': 'application/json' },
    });
    expect([refused.outcome, refused.fields]).toEqual([
      '422 VALIDATION_ERROR',
      { 'custom_fields.__proto__': 'unknown' },
    ]);
  });
});

describe('headers of 64 KiB', () => {
  const line = 'GET /api/v1/public/me HTTP/1.1\r\nHost: x\r\n';
  const authorization = `Authorization: Bearer ${organization.key}\r\n`;
  test.each([
    ['one', `X-A: ${'a'.repeat(65_536)}\r\n`],
    ['a thousand', `X-Abcdefghijklm: ${'a'.repeat(45)}\r\n`.repeat(1024)],
    ['the Idempotency-Key', `Idempotency-Key: ${'a'.repeat(65_536)}\r\n`],
    ['the credential', `Authorization: Bearer dk_live_${'a'.repeat(65_536)}\r\n`],
  ])('in %s are refused in the form of every error, each time', async (_, headers) => {
    for (let time = 0; time < 20; time += 1) {
      const answer = await rawRequest(dealkeep.origin, [line, headers, authorization, '\r\n']);
      expect([answer.status, JSON.parse(answer.body).error.code]).toEqual([400, 'BAD_REQUEST']);
    }
  });
});
