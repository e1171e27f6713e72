import { seedDemo } from '@dealkeep/core/installation';
import { markOverdueInvoices } from '@dealkeep/core/records';
import { inConsole, startDealkeep } from '@dealkeep/testing';
import { openBusiness } from '@dealkeep/testing/business';
import { expect, test } from 'vitest';

const dealkeep = await startDealkeep({ worker: false });
const items = [{ name: 'x', unit_price: 1 }];
const cents = (...amounts: number[]) => Math.round(amounts.reduce((sum, amount) => sum + amount * 100, 0));

test('a demo has invoices: sums and numbers agree, nothing is told of, and what follows goes on counting', async () => {
  const { api, organization, eventTypes } = await openBusiness(dealkeep);
  const { invoices: count } = await seedDemo(dealkeep.core, organization.slug, 'small');
  await markOverdueInvoices(dealkeep.core);
  expect(await eventTypes()).toEqual([]);

  const invoices = await api.walk('/invoices', { sort: 'issued_date' });
  expect(invoices).toHaveLength(count);
  expect(count).toBeGreaterThan(20);
  const today = new Date().toISOString();
  const last = new Map<string, number>();
  for (const invoice of invoices) {
    expect(cents(invoice.subtotal)).toBe(cents(...invoice.items.map(({ total }) => total)));
    // All lines of the demo have one rate.
    expect(new Set(invoice.items.map(({ vat_rate }) => vat_rate))).toEqual(new Set([23]));
    expect(cents(invoice.vat_amount)).toBe(Math.round((cents(invoice.subtotal) * 23) / 100));
    expect(cents(invoice.total)).toBe(cents(invoice.subtotal, invoice.vat_amount));
    expect(invoice.remaining_amount).toBe(invoice.is_paid ? 0 : invoice.total);
    expect(invoice.paid_at !== null).toBe(invoice.is_paid);
    expect(String(invoice.updated_at) <= today).toBe(true);
    const [year = '', sequence] = String(invoice.number).split('-');
    expect(String(invoice.issued_date).slice(0, 4)).toBe(year);
    expect(invoice.variable_symbol).toBe(`${year}${sequence}`);
    expect(Number(sequence)).toBeGreaterThan(0);
    last.set(year, Math.max(last.get(year) ?? 0, Number(sequence)));
  }
  expect([...last.values()].reduce((sum, each) => sum + each)).toBe(count);
  expect(new Set(invoices.map(({ status }) => status))).toEqual(new Set(['issued', 'paid', 'overdue']));
  const [year, sequence] = [...last].at(-1) ?? ['', 0];
  const next = (await api.post('/invoices', { items, issued_date: `${year}-12-31` })).data;
  expect(next.number).toBe(`${year}-${String(sequence + 1).padStart(4, '0')}`);
});

test('a demo has quotes, and what follows goes on counting', async () => {
  const { organization } = await openBusiness(dealkeep);
  const { quotes: count } = await seedDemo(dealkeep.core, organization.slug, 'small');
  const rows = await dealkeep.sql<{ number: string; status: string; year: string }[]>`
    select number, status, split_part(number, '-', 2) as year from quotes
    where organization_id = ${organization.id} order by created_at, id`;
  expect(rows).toHaveLength(count);
  expect(count).toBeGreaterThan(8);
  expect(new Set(rows.map(({ number }) => number)).size).toBe(count);
  const created = await inConsole(dealkeep.core, organization, 'quotes.create', { items });
  const ofYear = rows.filter(({ year }) => created.number?.startsWith(`Q-${year}-`));
  expect(created.number).toMatch(new RegExp(`-${String(ofYear.length + 1).padStart(4, '0')}$`));
});
