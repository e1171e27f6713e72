import { markOverdueInvoices } from '@dealkeep/core/records';
import { inConsole, startDealkeep } from '@dealkeep/testing';
import { openBusiness, recordText } from '@dealkeep/testing/business';
import { describe, expect, test } from 'vitest';

const dealkeep = await startDealkeep({ worker: false });
const { core } = dealkeep;
const nobody = '01985f6e-2c41-7d3a-9b52-4f0c8a7e1d63';

/** A business with one invoice of 369 euros. */
async function openOffice(body: object = {}) {
  const business = await openBusiness(dealkeep);
  const { api, organization } = business;
  const items = [{ name: 'City bike', unit_price: 300, vat_rate: 23 }];
  const invoice = (await api.post('/invoices', { items, ...body })).data;
  const pay = (amount?: number) =>
    inConsole(core, organization, 'invoices.pay', {
      id: invoice.id,
      ...(amount === undefined ? {} : { amount }),
    });
  const cancel = () => inConsole(core, organization, 'invoices.cancel', { id: invoice.id });
  const read = () => api.get(`/invoices/${invoice.id}`);
  return { ...business, invoice, pay, cancel, read };
}
const past = { issued_date: '2026-01-01', due_date: '2026-01-02' };

describe('a payment', () => {
  test('in full makes the invoice paid, and says so as GET answers (rules invoices 8 and 9)', async () => {
    const { invoice, pay, read, eventsDuring } = await openOffice();
    const events = await eventsDuring(async () => {
      const paid = await pay();
      expect(paid).toEqual({
        ...invoice,
        status: 'paid',
        is_paid: true,
        paid_at: paid.updated_at,
        remaining_amount: 0,
        updated_at: paid.updated_at,
      });
      expect(paid.updated_at).not.toBe(invoice.updated_at);
    });
    expect(events.map(({ type }) => type)).toEqual(['invoice.paid']);
    expect(events[0]?.dataText).toBe(recordText((await read()).text));
  });

  test('in part changes what remains, without an event, until nothing remains (rules events 5 and invoices 9)', async () => {
    const { pay, read, eventsDuring } = await openOffice();
    const parts = await eventsDuring(async () => {
      expect(await pay(0.1)).toMatchObject({ remaining_amount: 368.9, status: 'issued', paid_at: null });
      expect(await pay(0.2)).toMatchObject({ remaining_amount: 368.7, is_paid: false });
      expect((await read()).data.remaining_amount).toBe(368.7);
    });
    expect(parts).toEqual([]);
    const events = await eventsDuring(() => pay(368.7));
    expect(events.map(({ type }) => type)).toEqual(['invoice.paid']);
    expect(events[0]?.dataText).toBe(recordText((await read()).text));
    expect((await read()).data).toMatchObject({ remaining_amount: 0, is_paid: true });
  });

  test('without an amount, after a part, is the rest', async () => {
    const { pay } = await openOffice();
    await pay(100);
    expect(await pay()).toMatchObject({ status: 'paid', remaining_amount: 0, total: 369 });
  });

  test('of an overdue invoice: a part leaves it overdue, the rest clears that (rule invoices 8)', async () => {
    const { pay, read, eventTypes } = await openOffice(past);
    await markOverdueInvoices(core);
    expect(await pay(69)).toMatchObject({ status: 'overdue', is_overdue: true, remaining_amount: 300 });
    expect(await pay()).toMatchObject({ status: 'paid', is_overdue: false, is_paid: true });
    await markOverdueInvoices(core);
    expect((await read()).data).toMatchObject({ status: 'paid', is_overdue: false });
    expect(await eventTypes()).toEqual(['invoice.created', 'invoice.overdue', 'invoice.paid']);
  });

  test('of an invoice over nothing is not needed: it is created paid, and says so (rule invoices 12)', async () => {
    const business = await openBusiness(dealkeep);
    const items = [{ name: 'Gift', unit_price: 0.004, vat_rate: 23 }];
    const [created, paid] = await business.eventsDuring(() => business.api.post('/invoices', { items }));
    const [invoice] = await business.api.walk('/invoices', {});
    expect(invoice).toMatchObject({ status: 'paid', is_paid: true, is_overdue: false, total: 0 });
    expect(invoice).toMatchObject({ paid_at: invoice?.created_at, remaining_amount: 0 });
    expect([created, paid].map((event) => event?.type)).toEqual(['invoice.created', 'invoice.paid']);
    expect([created, paid].map((event) => JSON.parse(event?.dataText ?? ''))).toEqual([invoice, invoice]);
    const { id, updated_at } = invoice ?? {};
    const pay = inConsole(core, business.organization, 'invoices.pay', { id: String(id) });
    await expect(pay).rejects.toMatchObject({ key: 'record.wrong_state', values: { state: 'paid' } });
    await markOverdueInvoices(core);
    expect((await business.api.get(`/invoices/${id}`)).data).toMatchObject({ status: 'paid', updated_at });
  });

  test.each([
    ['JPY', 0.5, 1, 368],
    ['KWD', 0.0005, 0.001, 368.999],
  ])(
    'in %s has the decimals of the currency (rules bodies 21 and invoices 9)',
    async (currency, parts, unit, rest) => {
      const { pay } = await openOffice({ currency });
      await expect(pay(parts)).rejects.toMatchObject({
        fields: [{ path: 'amount', key: 'field.parts_of_minor_units' }],
      });
      expect(await pay(unit)).toMatchObject({ remaining_amount: rest, status: 'issued' });
      expect(await pay()).toMatchObject({ remaining_amount: 0, status: 'paid' });
    },
  );

  test('takes all that remains of an older invoice, whatever decimals it has (rule bodies 21)', async () => {
    const { invoice, pay } = await openOffice({ currency: 'JPY' });
    await dealkeep.sql`
      update invoices set subtotal = 300.33, vat_amount = 69.08, total = 369.41 where id = ${invoice.id}`;
    await expect(pay(369.4)).rejects.toMatchObject({ fields: [{ path: 'amount' }] });
    expect(await pay(300)).toMatchObject({ total: 369.41, remaining_amount: 69.41 });
    expect(await pay(69.41)).toMatchObject({ remaining_amount: 0, status: 'paid' });
  });

  test.each([
    [0, 'field.more_than'],
    [-5, 'field.more_than'],
    [369.01, 'field.too_big'],
    [1e13, 'field.too_big'],
    [0.005, 'field.parts_of_minor_units'],
    [Number.NaN, 'field.invalid_type'],
  ])('of %d is refused', async (amount, key) => {
    const { invoice, pay, read } = await openOffice();
    await expect(pay(amount)).rejects.toMatchObject({
      key: 'fields.invalid',
      fields: [{ path: 'amount', key }],
    });
    expect((await read()).data).toEqual(invoice);
  });

  test('is refused when the invoice is paid, cancelled, or not there', async () => {
    const { pay } = await openOffice();
    await pay();
    await expect(pay()).rejects.toMatchObject({ key: 'record.wrong_state', values: { state: 'paid' } });
    const other = await openOffice();
    await other.cancel();
    await expect(other.pay(1)).rejects.toMatchObject({ values: { state: 'cancelled' } });
    for (const id of [nobody, other.invoice.id]) {
      const { organization } = await openOffice();
      await expect(inConsole(core, organization, 'invoices.pay', { id })).rejects.toMatchObject({
        key: 'record.not_found',
      });
    }
  });

  test('eight in full at once: one pays', async () => {
    const { pay, eventsDuring } = await openOffice();
    const events = await eventsDuring(async () => {
      const outcomes = await Promise.allSettled(Array.from({ length: 8 }, () => pay()));
      expect(outcomes.filter(({ status }) => status === 'fulfilled')).toHaveLength(1);
    });
    expect(events.map(({ type }) => type)).toEqual(['invoice.paid']);
  });

  test('ten parts at once all count, and one of them settles', async () => {
    const { pay, read, eventsDuring } = await openOffice();
    const events = await eventsDuring(() => Promise.all(Array.from({ length: 10 }, () => pay(36.9))));
    expect(events.map(({ type }) => type)).toEqual(['invoice.paid']);
    expect((await read()).data).toMatchObject({ remaining_amount: 0, status: 'paid' });
  });
});

describe('cancelling', () => {
  test.each([
    ['an issued', {}],
    ['an overdue', past],
  ])(
    '%s invoice leaves nothing to pay, keeps its number, and says nothing (rule invoices 11)',
    async (_, body) => {
      const { api, invoice, cancel, read, eventsDuring } = await openOffice(body);
      await markOverdueInvoices(core);
      const events = await eventsDuring(async () => {
        const cancelled = await cancel();
        expect(cancelled).toEqual({
          ...invoice,
          status: 'cancelled',
          remaining_amount: 0,
          updated_at: cancelled.updated_at,
        });
        expect((await read()).data).toEqual(cancelled);
      });
      expect(events).toEqual([]);
      const next = (
        await api.post('/invoices', {
          items: [{ name: 'x', unit_price: 1 }],
          issued_date: invoice.issued_date,
        })
      ).data;
      expect(next.number).toMatch(/-0002$/);
    },
  );

  test('is refused once something is paid, twice, or of what is not there (rule invoices 11)', async () => {
    const { pay, cancel, organization } = await openOffice();
    await pay(1);
    await expect(cancel()).rejects.toMatchObject({ key: 'invoice.partly_paid' });
    await pay();
    await expect(cancel()).rejects.toMatchObject({ key: 'record.wrong_state', values: { state: 'paid' } });
    const other = await openOffice();
    await other.cancel();
    await expect(other.cancel()).rejects.toMatchObject({ values: { state: 'cancelled' } });
    await expect(
      inConsole(core, organization, 'invoices.cancel', { id: other.invoice.id }),
    ).rejects.toMatchObject({
      key: 'record.not_found',
    });
  });
});
