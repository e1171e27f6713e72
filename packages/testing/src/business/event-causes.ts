import { type EventType, eventTypes, watchableFields } from '@dealkeep/contract';
import { markOverdueInvoices, tellOverdueTasks } from '@dealkeep/core/records';
import { inConsole } from '../in-console.ts';
import type { TestDealkeep } from '../start-dealkeep.ts';
import { addProject, stageOf } from './add-project.ts';
import { type Business, openBusiness } from './business.ts';
import { defaultPipeline, lostReason } from './default-pipeline.ts';
import { operationCausing, plainRecord } from './plain-records.ts';
import { openSalon } from './salon.ts';
import { type OrderStep, openShop, type PaymentStep, setPaymentStatus, stepOrder } from './shop.ts';

/** A change that is about to happen in a business of its own. */
export interface Change {
  business: Business;
  make(): Promise<unknown>;
  /** Of an `x.updated`: the fields that differ afterwards. */
  changedFields?: string[];
}

/** What makes an event, and all events that this makes, in their order (rule events 3). */
export interface Cause {
  events: readonly EventType[];
  prepare(dealkeep: TestDealkeep): Promise<Change>;
}

const items = [{ name: 'City bike', quantity: 2, unit_price: 450, vat_rate: 23 }];

/** A POST that needs nothing before. */
const post =
  (path: string, body: object) =>
  async (dealkeep: TestDealkeep): Promise<Change> => {
    const business = await openBusiness(dealkeep);
    return { business, make: () => business.api.post(path, body) };
  };

async function openOffice(dealkeep: TestDealkeep) {
  const business = await openBusiness(dealkeep);
  const { api } = business;
  const company = (await api.post('/companies', { name: 'Acme, s. r. o.', email: 'a@acme.example' })).data;
  const contact = (await api.post('/contacts', { company_id: company.id, name: 'Eva Šimková' })).data;
  const client = (await api.post('/clients', { company_id: company.id })).data;
  return { business, api, company, contact, client };
}

/** A business with a planned activity. */
async function openCalendar(dealkeep: TestDealkeep) {
  const { business, api, company, contact } = await openOffice(dealkeep);
  const body = { name: 'Presentation', start_at: '2031-05-05T09:00:00Z', company_id: company.id };
  const { id } = (await api.post('/activities', { ...body, contact_id: contact.id })).data;
  return { business, id };
}

const move = (stage: 'Won' | 'Lost' | 'Contacted', events: readonly EventType[]): Cause => ({
  events,
  async prepare(dealkeep) {
    const { business, api, company, contact } = await openOffice(dealkeep);
    const { stages } = await defaultPipeline(api);
    const lead = (await api.post('/leads', { company_id: company.id, contact_id: contact.id })).data;
    const body = {
      stage_id: stages[stage],
      ...(stage === 'Lost' ? { lost_reason_id: await lostReason(api), lost_note: 'Too "dear" \\ 5 €' } : {}),
    };
    return { business, make: () => api.post(`/leads/${lead.id}/move`, body) };
  },
});

const task = (events: readonly EventType[], body: object, patch: object): Cause => ({
  events,
  async prepare(dealkeep) {
    const { business, api, company } = await openOffice(dealkeep);
    const project = await addProject({ dealkeep, organization: business.organization }, 'Web', {
      Now: 'to_do',
      Then: 'done',
    });
    const { id } = (
      await api.post('/tasks', {
        title: 'Call',
        company_id: company.id,
        stage_id: stageOf(project, 'Now'),
        ...body,
      })
    ).data;
    const change = 'stage_id' in patch ? { ...patch, stage_id: stageOf(project, 'Then') } : patch;
    return { business, make: () => api.patch(`/tasks/${id}`, change) };
  },
});

const booking = (
  events: readonly EventType[],
  change: (
    core: TestDealkeep['core'],
    salon: Awaited<ReturnType<typeof openSalon>>,
    id: string,
  ) => Promise<unknown>,
): Cause => ({
  events,
  async prepare(dealkeep) {
    const salon = await openSalon(dealkeep);
    const { id } = (await salon.book('2031-05-05T09:00:00Z', { staff_id: salon.staff, notes: 'Window' }))
      .data;
    return { business: salon, make: () => change(dealkeep.core, salon, id) };
  },
});

const order = (status: OrderStep, before: readonly OrderStep[] = []): Cause => ({
  events: [`order.${status}`],
  async prepare(dealkeep) {
    const shop = await openShop(dealkeep);
    const product = await shop.addProduct({ price: 9.99, stock_on_hand: 3 });
    const { uuid } = (await shop.order({ items: [{ product_uuid: product.uuid, quantity: 2 }] })).data;
    for (const step of before) await stepOrder(dealkeep.core, shop.name, { uuid, status: step });
    return { business: shop, make: () => stepOrder(dealkeep.core, shop.name, { uuid, status }) };
  },
});

const payment = (
  events: readonly EventType[],
  status: PaymentStep,
  before: readonly PaymentStep[] = [],
): Cause => ({
  events,
  async prepare(dealkeep) {
    const shop = await openShop(dealkeep);
    const { uuid } = (await shop.order({ customer: { name: 'Eva', delivery_address: 'Hlavná 1' } })).data;
    const pay = (to: PaymentStep) => setPaymentStatus(dealkeep.core, shop.name, { uuid, payment_status: to });
    for (const step of before) await pay(step);
    return { business: shop, make: () => pay(status) };
  },
});

const quote = (
  type: 'quote.accepted' | 'quote.rejected',
  decide: 'quotes.accept' | 'quotes.reject',
): Cause => ({
  events: [type],
  async prepare(dealkeep) {
    const { business, company, client } = await openOffice(dealkeep);
    const { core } = dealkeep;
    const input = { items, company_id: company.id, client_id: client.id, valid_until: '2031-10-31' };
    const { id } = await inConsole(core, business.organization, 'quotes.create', input);
    await inConsole(core, business.organization, 'quotes.send', { id });
    return { business, make: () => inConsole(core, business.organization, decide, { id }) };
  },
});

const told: Partial<Record<EventType, Cause>> = {
  'lead.created': {
    events: ['company.created', 'contact.created', 'lead.created'],
    prepare: post('/leads', {
      name: 'Bikes \u2028 "ž" \\ </script> \u{1F6B2}',
      value: 1234567890.1,
      expected_close_date: '2031-12-31',
      company: { name: 'New, a. s.', registration_id: '12345678' },
      contact: { name: 'Ján', email: 'jan@new.example' },
    }),
  },
  'lead.updated': {
    events: ['lead.updated', 'lead.stage_changed', 'lead.won'],
    async prepare(dealkeep) {
      const business = await openBusiness(dealkeep);
      const { api } = business;
      const { stages } = await defaultPipeline(api);
      const { id } = (await api.post('/leads', { name: 'Old', value: 1 })).data;
      return {
        business,
        make: () => api.patch(`/leads/${id}`, { name: 'New', value: 2.5, stage_id: stages['Won'] }),
        changedFields: ['name', 'status', 'value', 'stage', 'stage_entered_at', 'won_at'],
      };
    },
  },
  'lead.stage_changed': move('Contacted', ['lead.stage_changed']),
  'lead.won': move('Won', ['lead.stage_changed', 'lead.won']),
  'lead.lost': move('Lost', ['lead.stage_changed', 'lead.lost']),
  'lead.archived': {
    events: ['lead.archived'],
    async prepare(dealkeep) {
      const business = await openBusiness(dealkeep);
      const { api } = business;
      const { id } = (await api.post('/leads', {})).data;
      return { business, make: () => api.post(`/leads/${id}/archive`, { lost_note: 'Twice' }) };
    },
  },
  'company.created': {
    events: ['company.created'],
    prepare: post('/companies', { name: 'Acme', street: 'Hlavná 1', note: 'a\nb\tc' }),
  },
  'company.updated': {
    events: ['company.updated'],
    async prepare(dealkeep) {
      const { business, api, company } = await openOffice(dealkeep);
      return {
        business,
        make: () => api.patch(`/companies/${company.id}`, { city: 'Žilina', phone: '+421 900' }),
        changedFields: ['address', 'phone'],
      };
    },
  },
  'contact.created': {
    events: ['contact.created'],
    async prepare(dealkeep) {
      const { business, api, company } = await openOffice(dealkeep);
      const body = { company_id: company.id, name: 'Adam', email: 'adam@acme.example', is_primary: true };
      return { business, make: () => api.post('/contacts', body) };
    },
  },
  'contact.updated': {
    events: ['contact.updated'],
    async prepare(dealkeep) {
      const { business, api, contact } = await openOffice(dealkeep);
      return {
        business,
        make: () => api.patch(`/contacts/${contact.id}`, { email: 'eva@acme.example', is_primary: true }),
        changedFields: ['email', 'emails', 'is_primary'],
      };
    },
  },
  'client.created': {
    events: ['client.created'],
    async prepare(dealkeep) {
      const business = await openBusiness(dealkeep);
      const company = (await business.api.post('/companies', { name: 'Acme', registration_id: '1' })).data;
      const body = { company_id: company.id, reference_valid_until: '2031-01-31' };
      return { business, make: () => business.api.post('/clients', body) };
    },
  },
  'client.updated': {
    events: ['client.updated'],
    async prepare(dealkeep) {
      const { business, api, client } = await openOffice(dealkeep);
      const body = { reference_code: 'R-1', owner_id: business.organization.ownerId };
      return {
        business,
        make: () => api.patch(`/clients/${client.id}`, body),
        changedFields: ['owner', 'reference_code'],
      };
    },
  },
  'activity.created': {
    events: ['activity.created'],
    prepare: post('/activities', { name: 'Call', start_at: '2031-05-05T11:00:00+02:00' }),
  },
  'activity.completed': {
    events: ['activity.completed'],
    async prepare(dealkeep) {
      const { business, id } = await openCalendar(dealkeep);
      return { business, make: () => business.api.post(`/activities/${id}/complete`) };
    },
  },
  'activity.cancelled': {
    events: ['activity.cancelled'],
    async prepare(dealkeep) {
      const { business, id } = await openCalendar(dealkeep);
      return {
        business,
        make: () => inConsole(dealkeep.core, business.organization, 'activities.cancel', { id }),
      };
    },
  },
  'task.created': {
    events: ['task.created'],
    prepare: post('/tasks', { title: 'Call', due_date: '2031-05-05', due_time: '09:30', priority: 'high' }),
  },
  'task.moved': task(['task.moved', 'task.completed'], {}, { stage_id: 'Then', completed: true }),
  'task.completed': task(['task.completed'], {}, { completed: true }),
  'task.overdue': {
    events: ['task.overdue'],
    async prepare(dealkeep) {
      const business = await openBusiness(dealkeep);
      await business.api.post('/tasks', { title: 'Late', due_date: '2026-01-31', due_time: '09:30' });
      return { business, make: () => tellOverdueTasks(dealkeep.core) };
    },
  },
  'invoice.created': {
    events: ['invoice.created'],
    async prepare(dealkeep) {
      const { business, api, client } = await openOffice(dealkeep);
      return { business, make: () => api.post('/invoices', { items, client_id: client.id }) };
    },
  },
  'invoice.paid': {
    events: ['invoice.paid'],
    async prepare(dealkeep) {
      const business = await openBusiness(dealkeep);
      const { id } = (await business.api.post('/invoices', { items })).data;
      return {
        business,
        make: () => inConsole(dealkeep.core, business.organization, 'invoices.pay', { id }),
      };
    },
  },
  'invoice.overdue': {
    events: ['invoice.overdue'],
    async prepare(dealkeep) {
      const business = await openBusiness(dealkeep);
      await business.api.post('/invoices', { items, issued_date: '2026-01-01', due_date: '2026-01-15' });
      return { business, make: () => markOverdueInvoices(dealkeep.core) };
    },
  },
  'quote.accepted': quote('quote.accepted', 'quotes.accept'),
  'quote.rejected': quote('quote.rejected', 'quotes.reject'),
  'booking.created': {
    events: ['booking.created'],
    async prepare(dealkeep) {
      const salon = await openSalon(dealkeep);
      return { business: salon, make: () => salon.book('2031-05-05T09:00:00Z', { staff_id: salon.staff }) };
    },
  },
  'booking.confirmed': booking(['booking.confirmed'], (core, { name }, id) =>
    inConsole(core, name, 'bookings.confirm', { id }),
  ),
  'booking.completed': booking(['booking.completed'], (core, { name }, id) =>
    inConsole(core, name, 'bookings.complete', { id }),
  ),
  'booking.no_show': booking(['booking.no_show'], (core, { name }, id) =>
    inConsole(core, name, 'bookings.no-show', { id }),
  ),
  'booking.cancelled': booking(['booking.cancelled'], (_, { api }, id) =>
    api.post(`/bookings/${id}/cancel`, { reason: 'Ill' }),
  ),
  'product.created': {
    events: ['product.created'],
    async prepare(dealkeep) {
      const shop = await openShop(dealkeep);
      const images = [{ url: 'https://example.com/a.png', title: 'A', alt_text: 'a', is_primary: true }];
      return { business: shop, make: () => shop.addProduct({ price: 9.9, stock_on_hand: 3, images }) };
    },
  },
  'product.updated': {
    events: ['product.updated'],
    async prepare(dealkeep) {
      const shop = await openShop(dealkeep);
      const { uuid } = await shop.addProduct({ price: 9.9 });
      const changes = { uuid, price: 10.5, description: 'Light' };
      return {
        business: shop,
        make: () => inConsole(dealkeep.core, shop.name, 'products.update', changes),
        changedFields: ['description', 'price'],
      };
    },
  },
  'order.created': {
    events: ['order.created', 'order.confirmed'],
    async prepare(dealkeep) {
      const shop = await openShop(dealkeep);
      return { business: shop, make: () => shop.order({ auto_confirm: true, shipping_cost: 3.1 }) };
    },
  },
  'order.confirmed': order('confirmed'),
  'order.picking': order('picking', ['confirmed']),
  'order.packed': order('packed', ['picking']),
  'order.ready_for_pickup': order('ready_for_pickup', ['packed']),
  'order.shipped': order('shipped', ['packed']),
  'order.delivered': order('delivered', ['shipped']),
  'order.cancelled': order('cancelled'),
  'order.returned': order('returned', ['delivered']),
  'order.paid': payment(['order.payment_paid', 'order.paid'], 'paid'),
  'order.payment_pending': payment(['order.payment_pending'], 'pending'),
  'order.payment_paid': payment(['order.payment_paid'], 'paid', ['paid', 'refunded']),
  'order.payment_refunded': payment(['order.payment_refunded'], 'refunded', ['paid']),
  'order.payment_failed': payment(['order.payment_failed'], 'failed', ['pending']),
};

/** Of an event of which nothing is said above: the operation of the API that causes it, as the contract has it. */
function plainCause(type: EventType): Cause {
  const causing = operationCausing(type);
  if (!causing) throw new Error(`No operation of the API causes ${type}`);
  const { create, body, changes } = plainRecord(causing.resource);
  if (causing.kind === 'create') return { events: [type], prepare: post(create.path, body) };
  return {
    events: [type],
    async prepare(dealkeep) {
      const business = await openBusiness(dealkeep);
      const { data } = await business.api.send('POST', create.path, { json: body });
      const { id, uuid } = Object(data);
      const path = causing.path.replace(/\{\w+\}/, String(id ?? uuid));
      const json = causing.kind === 'update' ? changes : undefined;
      return {
        business,
        make: () => business.api.send(causing.method, path, json ? { json } : {}),
        ...(json ? { changedFields: changedBy(type, json) } : {}),
      };
    },
  };
}

/** In the order of the record. */
const changedBy = (type: EventType, changes: Readonly<Record<string, unknown>>): string[] =>
  watchableFields(type).filter((name) => name in changes);

/**
 * For each event of the catalog a change that makes it: an operation of the API, a step of the console, or a sweep.
 */
export const causes = Object.fromEntries(
  eventTypes.map((type) => [type, told[type] ?? plainCause(type)]),
) as Record<EventType, Cause>;
