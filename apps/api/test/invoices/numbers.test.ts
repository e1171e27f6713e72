import { inConsole, startDealkeep } from '@dealkeep/testing';
import { openBusiness } from '@dealkeep/testing/business';
import { describe, expect, test } from 'vitest';

const quiet = { debug() {}, info() {}, warn() {}, error() {} };
const clock = { now: () => new Date('2026-10-01T08:00:00.000Z') };
const dealkeep = await startDealkeep({ worker: false, clock, log: quiet });
const items = [{ name: 'City bike', unit_price: 450 }];

async function openOffice() {
  const business = await openBusiness(dealkeep);
  const { api } = business;
  const number = async (issued_date: string) =>
    (await api.post('/invoices', { items, issued_date })).data.number;
  const numbers = async () =>
    (await api.walk('/invoices', { limit: 100 })).map((each) => each.number).toSorted();
  return { ...business, number, numbers };
}
const expected = (year: number, count: number) =>
  Array.from({ length: count }, (_, index) => `${year}-${String(index + 1).padStart(4, '0')}`);

describe('numbers', () => {
  test('are counted for each year of the issue date, whatever the order (rule invoices 6)', async () => {
    const { number } = await openOffice();
    expect(await number('2026-12-31')).toBe('2026-0001');
    expect(await number('2027-01-01')).toBe('2027-0001');
    expect(await number('2026-01-01')).toBe('2026-0002');
    expect(await number('2025-06-15')).toBe('2025-0001');
    expect(await number('2027-02-01')).toBe('2027-0002');
  });

  test('are counted for each organization, and apart from those of quotes', async () => {
    const [one, other] = [await openOffice(), await openOffice()];
    expect(await one.number('2026-01-01')).toBe('2026-0001');
    expect((await inConsole(dealkeep.core, one.organization, 'quotes.create', { items })).number).toBe(
      'Q-2026-0001',
    );
    expect(await other.number('2026-01-01')).toBe('2026-0001');
    expect(await one.number('2026-01-01')).toBe('2026-0002');
    expect((await inConsole(dealkeep.core, one.organization, 'quotes.create', { items })).number).toBe(
      'Q-2026-0002',
    );
  });

  test('go on after 9999 with five digits, which the variable symbol has as well (rule invoices 6)', async () => {
    const { api, number, organization } = await openOffice();
    await number('2026-01-01');
    await dealkeep.sql`update document_numbers set last = 9998 where organization_id = ${organization.id}`;
    expect(await number('2026-01-01')).toBe('2026-9999');
    const { data } = await api.post('/invoices', { items });
    expect(data).toMatchObject({ number: '2026-10000', variable_symbol: '202610000' });
  });
});

describe('are gapless', () => {
  test('when twenty are created at once (rule invoices 6)', async () => {
    const { api, numbers } = await openOffice();
    const answers = await Promise.all(Array.from({ length: 20 }, () => api.post('/invoices', { items })));
    expect(answers.map(({ status }) => status)).toEqual(answers.map(() => 201));
    expect(await numbers()).toEqual(expected(2026, 20));
  });

  test('when some of them are refused', async () => {
    const { api, numbers } = await openOffice();
    const bad = [
      { items, company_id: '01985f6e-2c41-7d3a-9b52-4f0c8a7e1d63' },
      { items, due_date: '2026-01-01' },
    ];
    const bodies = Array.from({ length: 15 }, (_, index) => (index % 3 === 2 ? { items } : bad[index % 3]));
    const answers = await Promise.all(bodies.map((body) => api.post('/invoices', body)));
    expect(answers.filter(({ status }) => status === 201)).toHaveLength(5);
    expect(await numbers()).toEqual(expected(2026, 5));
  });

  test('when the transactions of some of them fail after the number was taken', async () => {
    const broken = await startDealkeep({ worker: false, clock, log: quiet });
    await broken.sql`alter table invoices add constraint broken check (note <> 'broken')`;
    const { api, eventTypes } = await openBusiness(broken);
    const notes = Array.from({ length: 14 }, (_, index) => (index % 2 === 0 ? 'broken' : 'whole'));
    const answers = await Promise.all(notes.map((note) => api.post('/invoices', { items, note })));
    expect(answers.map(({ outcome }) => outcome)).toEqual(
      notes.map((note) => (note === 'broken' ? '500 INTERNAL_ERROR' : '201')),
    );
    expect((await api.walk('/invoices')).map(({ number }) => number).toSorted()).toEqual(expected(2026, 7));
    expect(await eventTypes()).toHaveLength(7);
  });

  test('when a request is repeated with its Idempotency-Key, at once and later', async () => {
    const { api, numbers } = await openOffice();
    const send = (key: string) => api.post('/invoices', { items }, { 'Idempotency-Key': key });
    const answers = await Promise.all(['a', 'b', 'a', 'b', 'a', 'c'].map(send));
    expect(answers.every(({ status }) => status === 201 || status === 409)).toBe(true);
    const first = await send('a');
    expect((await send('a')).text).toBe(first.text);
    expect(await numbers()).toEqual(expected(2026, 3));
  });
});
