import { randomUUID } from 'node:crypto';
import { markOverdueInvoices } from '@dealkeep/core/records';
import { inConsole, type Query, startDealkeep } from '@dealkeep/testing';
import { type Business, openBusiness } from '@dealkeep/testing/business';
import { beforeAll, describe, expect, test } from 'vitest';
import { addClient } from '../console-edits.ts';

const dealkeep = await startDealkeep({ worker: false });
const items = [{ name: 'City bike', unit_price: 450 }];

describe('filters', () => {
  let business: Business;
  const ids: Record<string, string> = {};
  beforeAll(async () => {
    business = await openBusiness(dealkeep);
    const { api, organization } = business;
    const company = (await api.post('/companies', { name: 'Acme' })).data.id;
    const client = await addClient({ dealkeep, organization }, company);
    Object.assign(ids, { company, client });
    const future = { issued_date: '2130-01-01' };
    const made: string[] = [];
    for (const invoice of [
      { ...future, client_id: client },
      { ...future, company_id: company },
      { issued_date: '2020-01-01' },
      { issued_date: '2020-01-02' },
    ]) {
      made.push((await api.post('/invoices', { items, ...invoice })).data.id);
    }
    await inConsole(dealkeep.core, organization, 'invoices.pay', { id: made[1] ?? '' });
    await inConsole(dealkeep.core, organization, 'invoices.cancel', { id: made[2] ?? '' });
    await markOverdueInvoices(dealkeep.core);
  });
  const found = async (query: Query) =>
    (await business.api.get('/invoices', { sort: 'created_at', ...query })).page.data.map(
      ({ number }) => number,
    );

  test.each([
    [{}, ['2130-0001', '2130-0002', '2020-0001', '2020-0002']],
    [{ q: '30-' }, ['2130-0001', '2130-0002']],
    [{ q: '0002' }, ['2130-0002', '2020-0002']],
    [{ q: '%' }, []],
    [{ status: 'issued' }, ['2130-0001']],
    [{ status: 'paid' }, ['2130-0002']],
    [{ status: 'cancelled' }, ['2020-0001']],
    [{ status: 'overdue' }, ['2020-0002']],
    [{ status: 'draft' }, []],
    [{ is_paid: true }, ['2130-0002']],
    [{ is_paid: false }, ['2130-0001', '2020-0001', '2020-0002']],
    [{ is_overdue: true }, ['2020-0002']],
    [{ is_overdue: false }, ['2130-0001', '2130-0002', '2020-0001']],
    [{ status: 'issued', is_paid: true }, []],
    [{ is_paid: true, is_overdue: true }, []],
    [{ status: 'overdue', is_overdue: true, is_paid: false }, ['2020-0002']],
    [{ variable_symbol: '21300002' }, ['2130-0002']],
    [{ variable_symbol: '2130' }, []],
    [{ is_paid: false, q: '2020' }, ['2020-0001', '2020-0002']],
  ] satisfies [Query, string[]][])('%j', async (query, expected) => {
    expect(await found(query)).toEqual(expected);
  });

  test('references', async () => {
    expect(await found({ client_id: ids['client'] ?? '' })).toEqual(['2130-0001']);
    expect(await found({ company_id: ids['company'] ?? '' })).toEqual(['2130-0001', '2130-0002']);
    expect(await found({ client_id: randomUUID() })).toEqual([]);
    expect(await found({ company_id: randomUUID() })).toEqual([]);
  });

  test.each([
    ['status', 'open'],
    ['is_paid', '1'],
    ['client_id', 'x'],
    ['sort', 'number'],
  ])('%s=%s is no value of it', async (parameter, value) => {
    const refused = await business.api.get('/invoices', { [parameter]: value });
    expect(refused.outcome).toBe('400 INVALID_PARAMETER');
    expect(refused.error.detail).toEqual({ parameter });
  });

  test('others are not supported', async () => {
    expect((await business.api.get('/invoices', { number: '2130-0001' })).outcome).toBe(
      '400 UNSUPPORTED_FILTER',
    );
  });
});

describe('sorts', () => {
  let business: Business;
  beforeAll(async () => {
    business = await openBusiness(dealkeep);
    for (let index = 0; index < 12; index += 1) {
      await business.api.post('/invoices', {
        items: [{ name: 'x', unit_price: [9.5, 10, 100][index % 3] }],
        issued_date: ['2026-03-01', '2026-01-01'][index % 2],
        due_date: ['2026-12-01', '2026-03-01', '2027-01-01'][index % 3],
      });
    }
    // A draft has neither number nor dates.
    await dealkeep.sql`
      insert into invoices (organization_id, id, status, currency, subtotal, vat_amount, total, items, created_at,
                            updated_at)
      values (${business.organization.id}, gen_random_uuid(), 'draft', 'EUR', 1, 0, 1, '[]', now(), now())`;
  });

  test.each(['issued_date', 'due_date'] as const)('by %s: in order, a draft last', async (field) => {
    const values = async (sort: string) =>
      (await business.api.walk('/invoices', { sort, limit: 3 })).map((invoice) => invoice[field]);
    const up = await values(field);
    const filled = up.filter((value) => value !== null);
    expect(up).toEqual([...filled.toSorted(), null]);
    expect(await values(`-${field}`)).toEqual([...filled.toSorted().toReversed(), null]);
  });

  test('by total: as numbers', async () => {
    const totals = (await business.api.walk('/invoices', { sort: 'total' })).map(({ total }) => total);
    expect([...new Set(totals)]).toEqual([1, 9.5, 10, 100]);
  });
});
