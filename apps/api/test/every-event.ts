import { type EventType, events, type OperationDeclaration, operations } from '@dealkeep/contract';
import {
  acceptQuote,
  cancelActivity,
  completeBooking,
  confirmBooking,
  createProduct,
  createQuote,
  markNoShow,
  markOverdueInvoices,
  payInvoice,
  rejectQuote,
  sendQuote,
  setPaymentStatus,
  stepOrder,
  tellOverdueTasks,
  updateProduct,
} from '@dealkeep/core';
import type { RecordedEvent, TestDealkeep } from '@dealkeep/testing';
import { recordText } from './business.ts';
import { defaultPipeline } from './default-pipeline.ts';
import { type KnownBusiness, pathOn } from './known-records.ts';

/** An event beside what GET answered about its record right after it; a quote, which has no GET, as its verb answered. */
export interface ToldChange {
  type: EventType;
  event: RecordedEvent;
  read: string;
}

/**
 * Makes every event of the catalog happen as users make it happen: by operations of the API, by what the console will
 * do, and by sweeps.
 */
export async function causeEveryEvent(
  dealkeep: TestDealkeep,
  business: KnownBusiness,
): Promise<ToldChange[]> {
  const told: ToldChange[] = [];
  /** Does one thing and notes what was told of it. */
  const after = async <Result>(work: () => Promise<Result>): Promise<Result> => {
    let result: Result | undefined;
    const happened = await business.eventsDuring(async () => {
      result = await work();
    });
    for (const event of happened) {
      told.push({ type: event.type, event, read: await readAgain(business, event, result) });
    }
    return result as Result;
  };
  for (const story of [sales, work, money, bookings, shop]) await story(dealkeep, business, after);
  return told;
}

const declarations = Object.values<OperationDeclaration>(operations);

async function readAgain({ api }: KnownBusiness, { type, data }: RecordedEvent, result: unknown) {
  const get = declarations.find(({ kind, resource }) => kind === 'get' && resource === events[type].entity);
  if (!get) return JSON.stringify(result);
  return recordText((await api.send('GET', pathOn(get, String(data.id ?? data['uuid'])))).text);
}

type Story = (
  dealkeep: TestDealkeep,
  business: KnownBusiness,
  after: <Result>(work: () => Promise<Result>) => Promise<Result>,
) => Promise<void>;

const sales: Story = async (_, { api, organization, known }, after) => {
  const owner_id = organization.ownerId;
  const company = (await after(() => api.post('/companies', { name: 'Acme', owner_id }))).data.id;
  const client = (await after(() => api.post('/clients', { company_id: company, owner_id }))).data.id;
  await after(() => api.patch(`/companies/${company}`, { note: 'x' }));
  await after(() => api.patch(`/clients/${client}`, { note: 'x' }));
  const eva = { company_id: company, name: 'Eva', email: 'eva@acme.example' };
  const contact = (await after(() => api.post('/contacts', eva))).data.id;
  await after(() => api.patch(`/contacts/${contact}`, { name: 'Eva Nová' }));
  const { stages } = await defaultPipeline(api);
  const lead = (
    await after(() =>
      api.post('/leads', {
        contact_id: contact,
        owner_id,
        assignee_ids: [owner_id],
        origin_id: known['lead-origin'][0],
      }),
    )
  ).data.id;
  await after(() => api.patch(`/leads/${lead}`, { name: 'Fleet' }));
  await after(() => api.post(`/leads/${lead}/move`, { stage_id: String(stages['Won']) }));
  const lost = { stage_id: String(stages['Lost']), lost_reason_id: known['lost-reason'][0], lost_note: 'x' };
  await after(() => api.post(`/leads/${lead}/move`, lost));
  await after(() => api.post(`/leads/${lead}/archive`));
};

const work: Story = async ({ core }, { api, organization, known }, after) => {
  const [lead, company] = [known.lead[0], known.company[0]];
  const meeting = {
    name: 'Meeting',
    start_at: '2026-10-05T08:00:00Z',
    type_id: known['activity-type'][0],
    lead_id: lead,
    company_id: company,
  };
  const held = (await after(() => api.post('/activities', meeting))).data.id;
  await after(() => api.post(`/activities/${held}/complete`));
  const dropped = (await after(() => api.post('/activities', meeting))).data.id;
  await after(() => cancelActivity(core, organization, { id: dropped }));

  const project = (await api.get('/projects')).page.data.find(({ stages }) => stages.length > 1);
  const task = (
    await after(() =>
      api.post('/tasks', {
        title: 'Call',
        project_id: project?.id,
        lead_id: lead,
        company_id: company,
        assignee_ids: [organization.ownerId],
        due_date: '2020-01-01',
      }),
    )
  ).data.id;
  await after(() => api.patch(`/tasks/${task}`, { stage_id: project?.stages[1]?.id }));
  await after(() => tellOverdueTasks(core));
  await after(() => api.patch(`/tasks/${task}`, { completed: true }));
};

const money: Story = async ({ core }, { api, organization, known }, after) => {
  const items = [{ name: 'City bike', unit_price: 450, unit: 'pcs', vat_rate: 23 }];
  const [client_id, lead_id] = [known.client[0], known.lead[0]];
  const paid = (await after(() => api.post('/invoices', { items, client_id }))).data.id;
  await after(() => payInvoice(core, organization, { id: paid }));
  const old = { items, client_id, issued_date: '2020-01-01', due_date: '2020-01-02' };
  await after(() => api.post('/invoices', old));
  await after(() => markOverdueInvoices(core));
  for (const decide of [acceptQuote, rejectQuote]) {
    const { id } = await createQuote(core, organization, { items, client_id, lead_id });
    await sendQuote(core, organization, { id });
    await after(() => decide(core, organization, { id }));
  }
};

const bookings: Story = async ({ core }, { api, organization, known }, after) => {
  const book = async (day: number): Promise<string> => {
    const booking = {
      service_id: String(known['booking-service'][0]),
      staff_id: known['booking-staff'][0],
      starts_at: `2031-10-0${day}T08:00:00Z`,
      customer: { name: 'Eva', email: 'eva@customer.example', phone: '+421 905 654 321' },
      notes: 'x',
    };
    return (await after(() => api.post('/bookings', booking))).data.id;
  };
  for (const [day, decide] of [confirmBooking, completeBooking, markNoShow].entries()) {
    const id = await book(day + 1);
    await after(() => decide(core, organization, { id }));
  }
  const cancelled = await book(4);
  await after(() => api.post(`/bookings/${cancelled}/cancel`, { reason: 'x' }));
};

const shop: Story = async ({ core }, { api, organization, known }, after) => {
  const bike = {
    sku: 'BIKE',
    name: 'Bike',
    price: 450,
    stock_on_hand: 9,
    images: [image],
    attachments: [file],
  };
  const { uuid: product_uuid } = await after(() => createProduct(core, organization, bike));
  await after(() => updateProduct(core, organization, { uuid: product_uuid, price: 460 }));
  const order = async (): Promise<string> => {
    const customer = { name: 'Eva', client_uuid: known.client[0] };
    const placed = { customer, items: [{ quantity: 1, product_uuid, discount_pct: 5, notes: 'x' }] };
    return (await after(() => api.post('/orders', placed))).data.uuid;
  };
  const [sent, collected, cancelled] = [await order(), await order(), await order()];
  for (const status of ['confirmed', 'picking', 'packed', 'shipped', 'delivered', 'returned'] as const) {
    await after(() => stepOrder(core, organization, { uuid: sent, status }));
  }
  await after(() => stepOrder(core, organization, { uuid: collected, status: 'ready_for_pickup' }));
  await after(() => stepOrder(core, organization, { uuid: cancelled, status: 'cancelled' }));
  for (const payment_status of ['failed', 'pending', 'paid', 'refunded'] as const) {
    await after(() => setPaymentStatus(core, organization, { uuid: collected, payment_status }));
  }
};

const image = {
  url: 'https://cdn.example.com/bike.jpg',
  title: 'Bike',
  alt_text: 'A bike',
  is_primary: true,
};
const file = {
  url: 'https://cdn.example.com/bike.pdf',
  title: 'Manual',
  kind: 'manual',
  locale: 'sk',
  mime: 'application/pdf',
  size_bytes: 1834,
};
