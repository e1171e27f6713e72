import { Browser, inConsole, sharedDealkeep } from '@dealkeep/testing';
import { describe, expect, test } from 'vitest';
import { problemBeside, textOf } from './page-parts.ts';

const dealkeep = await sharedDealkeep();
const organization = await dealkeep.createOrganization();
const { sql } = dealkeep;
const api = dealkeep.as(organization.key);
const browser = new Browser(dealkeep);
await browser.signIn(organization);

const make = async (path: Parameters<typeof api.post>[0], body: unknown): Promise<string> => {
  const { status, json } = await api.post(path, body);
  if (status !== 201) throw new Error(JSON.stringify(json));
  const { data } = Object(json);
  return data.id ?? data.uuid;
};
const typesOf = async (id: string) => (await dealkeep.eventsOf(organization, id)).map(({ type }) => type);
const lastOf = async (id: string) => (await typesOf(id)).at(-1);

/** Takes a step as a person does: by its button, or on the page that asks first. */
async function step(record: string, name: string, fields: Record<string, string> = {}) {
  const address = `${record}/${name}`;
  const page = await browser.get(record);
  const asks = page.html.includes(`href="${address}"`);
  const form = asks ? await browser.get(address) : page;
  return browser.submit(form, address, { ...fields, ...(asks ? { do: 'save' } : {}) });
}
const offered = async (record: string): Promise<string[]> => {
  const { html } = await browser.get(record);
  const steps = html.split('class="choices steps"')[1]?.split('</div>')[0] ?? '';
  return [...steps.matchAll(/(?:href|action)="[^"]*\/([^"/]*)"/g)].map(([, name = '']) => name);
};

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
const order = () => make('/orders', { customer: {}, items: [{ sku: 'X', unit_price: 5, quantity: 1 }] });
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

describe('an order', () => {
  test('goes through its steps, each with its event', async () => {
    const id = await order();
    const record = `/orders/${id}`;
    for (const name of ['confirmed', 'picking', 'packed', 'shipped', 'delivered', 'returned']) {
      expect((await step(record, name)).status, name).toBe(303);
      expect(await lastOf(id)).toBe(`order.${name}`);
    }
    const pickup = await order();
    await step(`/orders/${pickup}`, 'ready-for-pickup');
    expect(await lastOf(pickup)).toBe('order.ready_for_pickup');
    await step(`/orders/${pickup}`, 'cancelled');
    expect(await lastOf(pickup)).toBe('order.cancelled');
  });

  test('has its payment noted: pending, failed, paid, refunded', async () => {
    const id = await order();
    const record = `/orders/${id}`;
    for (const name of ['pending', 'failed', 'paid', 'refunded']) {
      expect((await step(record, `payment-${name}`)).status, name).toBe(303);
      expect(await typesOf(id)).toContain(`order.payment_${name}`);
    }
    expect(await typesOf(id)).toContain('order.paid');
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

  test('lists go on page by page', async () => {
    const other = await dealkeep.createOrganization();
    const visitor = new Browser(dealkeep);
    await visitor.signIn(other);
    for (let index = 0; index < 51; index += 1) {
      await inConsole(dealkeep.core, other, 'quotes.create', {
        items: [{ name: 'Bike', unit_price: index }],
      });
    }
    const first = await visitor.get('/quotes?sort=total');
    const next = /rel="next" href="([^"]*)"/.exec(first.html)?.[1]?.replaceAll('&amp;', '&') ?? '';
    const rows = (html: string) => html.split('<th scope="row"').length - 1;
    expect([rows(first.html), rows((await visitor.get(next)).html)]).toEqual([50, 1]);
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

test('a task moves to a stage of its own project: task.moved', async () => {
  const [project, first, second] = [crypto.randomUUID(), crypto.randomUUID(), crypto.randomUUID()];
  const { id: organization_id } = organization;
  await sql`
    insert into projects (organization_id, id, name, status, created_at, updated_at)
    values (${organization_id}, ${project}, 'Spring', 'active', now(), now())`;
  for (const [position, id] of [first, second].entries()) {
    await sql`
      insert into project_stages (organization_id, id, project_id, name, category, position)
      values (${organization_id}, ${id}, ${project}, ${`Stage ${position}`}, 'to_do', ${position})`;
  }
  await sql`update organizations set directory_version = directory_version + 1 where id = ${organization_id}`;
  const id = await make('/tasks', { title: 'Plan', project_id: project });
  await step(`/tasks/${id}`, 'move', { stage_id: second });
  expect(await typesOf(id)).toEqual(['task.created', 'task.moved']);
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

  test('stands on the board in its stage, whose total counts it, and moves from there', async () => {
    const other = await dealkeep.createOrganization();
    const visitor = new Browser(dealkeep);
    await visitor.signIn(other);
    const key = dealkeep.as(other.key);
    const { data } = Object((await key.post('/leads', { name: 'On board', value: 1200 })).json);
    await key.post('/leads', { name: 'Beside it', value: 300.5 });
    const board = await visitor.get('/leads/board');
    const column = (html: string, name: string) =>
      textOf(html.split(`<section aria-label="${name}">`)[1]?.split('</section>')[0] ?? '');
    expect(column(board.html, data.stage.name)).toContain('2 · €1,500.50');
    const pipelines = Object((await key.get('/pipelines')).json).data;
    const lost = pipelines[0].stages.find((each: { kind: string }) => each.kind === 'lost');
    const back = `/leads/board?pipeline_id=${pipelines[0].id}`;
    const move = `/leads/${data.id}/move?${new URLSearchParams({ back })}`;
    expect(board.html).toContain(`class="card-menu" href="${move}"`);
    const moved = await visitor.fill(move, move, { stage_id: lost.id, do: 'save' });
    expect(moved.location).toBe(back);
    expect(column((await visitor.get('/leads/board')).html, lost.name)).toContain('On board');
    const types = (await dealkeep.eventsOf(other, data.id)).map(({ type }) => type);
    expect(types).toEqual(['lead.created', 'lead.stage_changed', 'lead.lost']);
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
