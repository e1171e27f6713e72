import { markOverdueInvoices } from '@dealkeep/core/records';
import { inConsole, ManualClock, startDealkeep } from '@dealkeep/testing';
import { openBusiness, recordText } from '@dealkeep/testing/business';
import { expect, test } from 'vitest';

const clock = new ManualClock();
const dealkeep = await startDealkeep({ worker: false, clock });

/** A business at a moment that the test moves. */
async function openOffice(timeZone = 'Europe/Bratislava') {
  clock.set('2026-10-01T08:00:00.000Z');
  const business = await openBusiness(dealkeep);
  await dealkeep.sql`
    update organizations set time_zone = ${timeZone}, directory_version = directory_version + 1
    where id = ${business.organization.id}`;
  const invoice = async (due_date: string, unit_price = 100) => {
    const items = [{ name: 'x', unit_price }];
    return (await business.api.post('/invoices', { items, issued_date: '2026-10-01', due_date })).data;
  };
  /** Sweeps at a moment, by as many workers at once; answers what was told. */
  const sweep = (at: string, workers = 1) => {
    clock.set(at);
    return business.eventsDuring(() =>
      Promise.all(Array.from({ length: workers }, () => markOverdueInvoices(dealkeep.core))),
    );
  };
  return { ...business, invoice, sweep };
}

test('an invoice is overdue from the day after its due date, and says so as GET answers (rule invoices 10)', async () => {
  const { api, invoice, sweep } = await openOffice();
  const issued = await invoice('2026-10-15');
  expect(await sweep('2026-10-15T21:59:59.999Z')).toEqual([]);
  expect((await api.get(`/invoices/${issued.id}`)).data).toEqual(issued);
  const events = await sweep('2026-10-15T22:00:00.000Z');
  expect(events.map(({ type }) => type)).toEqual(['invoice.overdue']);
  const read = await api.get(`/invoices/${issued.id}`);
  expect(events[0]?.dataText).toBe(recordText(read.text));
  expect(read.data).toEqual({
    ...issued,
    status: 'overdue',
    is_overdue: true,
    updated_at: '2026-10-15T22:00:00.000Z',
  });
});

test.each([
  ['Pacific/Kiritimati', '2026-10-15T10:00:00.000Z'],
  ['Pacific/Pago_Pago', '2026-10-16T11:00:00.000Z'],
])('in %s the day after the 15th begins at %s', async (timeZone, moment) => {
  const { invoice, sweep } = await openOffice(timeZone);
  await invoice('2026-10-15');
  expect(await sweep(new Date(Date.parse(moment) - 1).toISOString())).toEqual([]);
  expect(await sweep(moment)).toHaveLength(1);
});

test('it is told once (rule invoices 10)', async () => {
  const { invoice, sweep } = await openOffice();
  await invoice('2026-10-02');
  expect(await sweep('2026-10-03T08:00:00.000Z')).toHaveLength(1);
  expect(await sweep('2026-10-04T08:00:00.000Z')).toEqual([]);
});

test('one that is paid, cancelled or over nothing is never overdue; one paid in part is', async () => {
  const { invoice, sweep, organization } = await openOffice();
  const paid = await invoice('2026-10-02');
  const cancelled = await invoice('2026-10-02');
  const part = await invoice('2026-10-02');
  await invoice('2026-10-02', 0);
  await inConsole(dealkeep.core, organization, 'invoices.pay', { id: paid.id });
  await inConsole(dealkeep.core, organization, 'invoices.cancel', { id: cancelled.id });
  await inConsole(dealkeep.core, organization, 'invoices.pay', { id: part.id, amount: 99.99 });
  const events = await sweep('2027-01-01T00:00:00.000Z');
  expect(events.map(({ data }) => data.id)).toEqual([part.id]);
  expect(events[0]?.data['remaining_amount']).toBe(0.01);
});

test('four workers at once tell of each invoice of each organization once', async () => {
  const { sweep, api, organization } = await openOffice();
  const other = await openBusiness(dealkeep);
  await other.api.post('/invoices', { items: [{ name: 'x', unit_price: 1 }], due_date: '2026-10-02' });
  await dealkeep.sql`
    insert into invoices (organization_id, id, number, status, currency, issued_date, due_date, subtotal, vat_amount,
                          total, items, created_at, updated_at)
    select ${organization.id}, gen_random_uuid(), '2026-' || n, 'issued', 'EUR', '2026-10-01', '2026-10-02', 1, 0, 1,
           '[]', now(), now()
    from generate_series(1, 230) n`;
  const events = await sweep('2026-10-03T00:00:00.000Z', 4);
  expect(events).toHaveLength(230);
  expect((await api.walk('/invoices', { is_overdue: true })).length).toBe(230);
  expect(await other.eventTypes()).toEqual(['invoice.created', 'invoice.overdue']);
});

test('of a payment and the sweep at once, either order ends in a paid invoice', async () => {
  const { api, invoice, organization, eventTypes } = await openOffice();
  const invoices = await Promise.all(Array.from({ length: 10 }, () => invoice('2026-10-01')));
  clock.set('2026-10-02T08:00:00.000Z');
  await Promise.all([
    ...invoices.map(({ id }) => inConsole(dealkeep.core, organization, 'invoices.pay', { id })),
    markOverdueInvoices(dealkeep.core),
  ]);
  await markOverdueInvoices(dealkeep.core);
  expect((await api.get('/invoices', { is_paid: true, is_overdue: false })).page.data).toHaveLength(10);
  const paid = (await eventTypes()).filter((type) => type === 'invoice.paid');
  expect(paid).toHaveLength(10);
});
