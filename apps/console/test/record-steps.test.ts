import { inConsole, sharedDealkeep } from '@dealkeep/testing';
import { describe, expect, test } from 'vitest';
import { problemBeside, textOf } from './page-parts.ts';
import { stepTaker } from './step-taker.ts';

const dealkeep = await sharedDealkeep();
const { sql } = dealkeep;
const { organization, api, browser, make, typesOf, lastOf, step, offered } = await stepTaker(dealkeep);

async function service(): Promise<string> {
  const id = crypto.randomUUID();
  await sql`
    insert into booking_services (organization_id, id, name, duration_minutes, price, currency, created_at, updated_at)
    values (${organization.id}, ${id}, ${`Fitting ${id}`}, 60, 45, 'EUR', now(), now())`;
  await sql`update organizations set directory_version = directory_version + 1 where id = ${organization.id}`;
  return id;
}
const booking = async (): Promise<string> => {
  const body = { service_id: await service(), starts_at: '2027-01-01T09:00:00Z', customer: { name: 'Anna' } };
  return make('/bookings', body);
};
const invoice = () => make('/invoices', { items: [{ name: 'Repair', unit_price: 100 }] });
const quote = async (): Promise<string> =>
  (
    await inConsole(dealkeep.core, organization, 'quotes.create', {
      items: [{ name: 'Bike', unit_price: 10 }],
    })
  ).id;

describe('a booking', () => {
  test.each([
    ['confirm', 'booking.confirmed'],
    ['complete', 'booking.completed'],
    ['no-show', 'booking.no_show'],
    ['cancel', 'booking.cancelled'],
  ])('%s: %s', async (name, event) => {
    const id = await booking();
    expect(await offered(`/bookings/${id}`)).toEqual(['confirm', 'complete', 'no-show', 'cancel']);
    expect((await step(`/bookings/${id}`, name)).location).toBe(`/bookings/${id}?done=${name}`);
    expect(await typesOf(id)).toEqual(['booking.created', event]);
    const left = name === 'confirm' ? ['complete', 'no-show', 'cancel'] : [];
    expect(await offered(`/bookings/${id}`)).toEqual(left);
  });

  test('that was decided in another tab is told so, and stays as it is', async () => {
    const id = await booking();
    const [page, asking] = [
      await browser.get(`/bookings/${id}`),
      await browser.get(`/bookings/${id}/no-show`),
    ];
    await step(`/bookings/${id}`, 'complete');
    const told = await browser.submit(asking, `/bookings/${id}/no-show`, { do: 'save' });
    expect([told.status, textOf(told.html)]).toEqual([409, expect.stringContaining('This is not possible')]);
    expect((await browser.submit(page, `/bookings/${id}/confirm`, {})).status).toBe(409);
    expect(await lastOf(id)).toBe('booking.completed');
  });

  test('is not cancelled by opening the page that asks', async () => {
    const id = await booking();
    const asking = await browser.get(`/bookings/${id}/cancel`);
    expect(asking.html).toContain('No, go back');
    expect(await lastOf(id)).toBe('booking.created');
  });
});

describe('an invoice', () => {
  test('is paid in part, then fully: invoice.paid', async () => {
    const id = await invoice();
    const record = `/invoices/${id}`;
    expect(await offered(record)).toEqual(['pay', 'cancel']);
    const tooMuch = await step(record, 'pay', { amount: '1000' });
    expect([tooMuch.status, problemBeside(tooMuch.html, 'amount') !== undefined]).toEqual([422, true]);
    await step(record, 'pay', { amount: '40.5' });
    expect(await offered(record)).toEqual(['pay']);
    expect(textOf((await browser.get(record)).html)).toContain('Still to pay €59.50');
    await step(record, 'pay');
    expect(await typesOf(id)).toEqual(['invoice.created', 'invoice.paid']);
    expect(await offered(record)).toEqual([]);
  });

  test('is paid once by two clicks on one form', async () => {
    const id = await invoice();
    const form = await browser.get(`/invoices/${id}/pay`);
    const click = () => browser.submit(form, `/invoices/${id}/pay`, { amount: '30', do: 'save' });
    const clicks = await Promise.all([click(), click()]);
    expect(clicks.map(({ status }) => status)).toEqual([303, 303]);
    expect(textOf((await browser.get(`/invoices/${id}`)).html)).toContain('Still to pay €70.00');
  });

  test('is cancelled while nothing was paid', async () => {
    const id = await invoice();
    await step(`/invoices/${id}`, 'cancel');
    expect(textOf((await browser.get(`/invoices/${id}`)).html)).toContain('Cancelled');
  });
});

describe('a quote', () => {
  test.each([
    ['accept', 'quote.accepted'],
    ['reject', 'quote.rejected'],
  ])('is made, sent, then %s: %s', async (name, event) => {
    const { data: company } = await api.post('/companies', { name: `Asked for ${name}` });
    const item = { 'items[0].name': 'Bike', 'items[0].unit_price': '10' };
    const fields = { ...item, company_id: company.id, do: 'save' };
    const made = await browser.fill('/quotes/new', '/quotes/new', fields);
    const record = made.location?.replace(/\?.*/, '') ?? '';
    expect((await browser.get('/quotes?status=draft')).html).toContain(`href="${record}"`);
    expect(await offered(record)).toEqual(['send']);
    await step(record, 'send');
    expect(await offered(record)).toEqual(['accept', 'reject']);
    await step(record, name);
    expect(await typesOf(record.slice('/quotes/'.length))).toEqual([event]);
    expect(await offered(record)).toEqual([]);
  });

  test('that nobody has is not found', async () => {
    for (const id of [crypto.randomUUID(), 'nonsense']) {
      expect((await browser.get(`/quotes/${id}`)).status).toBe(404);
    }
    expect(await quote()).toBeDefined();
  });
});

test('an activity is completed or canceled', async () => {
  const activity = () => make('/activities', { name: 'Call', start_at: '2026-12-01T09:00:00Z' });
  const [done, off] = [await activity(), await activity()];
  await step(`/activities/${done}`, 'complete');
  await step(`/activities/${off}`, 'cancel');
  expect(await typesOf(done)).toEqual(['activity.created', 'activity.completed']);
  expect(await typesOf(off)).toEqual(['activity.created', 'activity.cancelled']);
  expect(await offered(`/activities/${off}`)).toEqual([]);
});

test('a task is completed, reopened and archived', async () => {
  const id = await make('/tasks', { title: 'Order parts' });
  const record = `/tasks/${id}`;
  expect(await offered(record)).toEqual(['complete', 'archive']);
  await step(record, 'complete');
  expect(await offered(record)).toEqual(['reopen', 'archive']);
  await step(record, 'reopen');
  await step(record, 'complete');
  expect(await typesOf(id)).toEqual(['task.created', 'task.completed', 'task.completed']);
  await step(record, 'archive');
  expect(await offered(record)).toEqual([]);
});

describe('a lead', () => {
  const stagesOf = async () => {
    const { json } = await api.get('/pipelines');
    const [pipeline] = Object(json).data;
    const stage = (kind: string) => pipeline.stages.find((each: { kind: string }) => each.kind === kind);
    return { pipeline, won: stage('won'), lost: stage('lost') };
  };

  test('is moved and archived from its page', async () => {
    const { won } = await stagesOf();
    const id = await make('/leads', { name: 'Ten bikes' });
    await step(`/leads/${id}`, 'move', { stage_id: won.id });
    expect(await typesOf(id)).toEqual(['lead.created', 'lead.stage_changed', 'lead.won']);
    await step(`/leads/${id}`, 'archive');
    expect(await lastOf(id)).toBe('lead.archived');
    expect(await offered(`/leads/${id}`)).toEqual(['erase']);
    expect((await browser.get(`/leads/${id}`)).html).not.toContain(`/leads/${id}/edit`);
  });

  test('that needs a lost reason is asked for it where it moves', async () => {
    const { pipeline, lost } = await stagesOf();
    const id = await make('/leads', { name: 'Lost one' });
    await sql`update pipelines set require_lost_reason = true where id = ${pipeline.id}`;
    await sql`update organizations set directory_version = directory_version + 1 where id = ${organization.id}`;
    const move = `/leads/${id}/move`;
    const asked = await browser.fill(move, move, { stage_id: lost.id, do: 'save' });
    expect([asked.status, problemBeside(asked.html, 'lost_reason_id') !== undefined]).toEqual([422, true]);
    const reason =
      /<select name="lost_reason_id".*?<option value="([0-9a-f-]{36})"/s.exec(asked.html)?.[1] ?? '';
    await browser.submit(asked, move, { lost_reason_id: reason, do: 'save' });
    expect(await lastOf(id)).toBe('lead.lost');
  });
});
