import { createClient, type Dealkeep } from '@dealkeep/client';
import { type OperationDeclaration, type OperationId, operationIds, operations } from '@dealkeep/contract';
import { seedDemo } from '@dealkeep/core/installation';
import { logAttempt, sharedDealkeep } from '@dealkeep/testing';
import { plainRecord } from '@dealkeep/testing/business';
import { beforeAll, expect, test } from 'vitest';
import * as z from 'zod';

const lookups = [
  'users',
  'pipelines',
  'leadOrigins',
  'lostReasons',
  'tags',
  'customFields',
  'activityTypes',
  'projects',
  'productCategories',
  'bookingServices',
  'bookingStaff',
] as const;
type Lookup = (typeof lookups)[number];

interface Setting {
  dealkeep: Dealkeep;
  companyId: string;
  otherCompanyId: string;
  contactId: string;
  leadId: string;
  clientId: string;
  activityId: string;
  taskId: string;
  invoiceId: string;
  serviceId: string;
  bookingId: string;
  orderUuid: string;
  productUuid: string;
  hookId: string;
  eventId: string;
  delivery: { hookId: string; eventId: string };
  wonStageId: string;
  /** An entry of each list to choose from. */
  listed: Record<Lookup, string>;
  /** Records that can be erased. */
  forgotten: Record<'company' | 'contact' | 'client' | 'lead', string>;
}

const targetUrl = 'http://127.0.0.1:9/hook';

/** Operations as customers write them, each once. */
const calls: Partial<Record<OperationId, (setting: Setting) => PromiseLike<unknown>>> = {
  'me.get': ({ dealkeep }) => dealkeep.me.get(),
  'companies.list': ({ dealkeep }) => dealkeep.companies.list({ q: 'tatra', sort: 'name' }),
  'companies.create': ({ dealkeep }) => dealkeep.companies.create({ name: 'Orava Tools', city: 'Námestovo' }),
  'companies.upsert': ({ dealkeep }) =>
    dealkeep.companies.upsert({ match_by: 'name', name: 'Orava Tools', tags: ['Tools'] }),
  'companies.batch': ({ dealkeep }) =>
    dealkeep.companies.batch({
      operation: 'upsert',
      items: [{ match_by: 'name', name: 'Orava Tools', note: 'Pays in cash' }],
    }),
  'contacts.batch': ({ dealkeep, companyId }) =>
    dealkeep.contacts.batch({ operation: 'create', items: [{ company_id: companyId, name: 'Ján Malý' }] }),
  'clients.batch': ({ dealkeep, clientId }) =>
    dealkeep.clients.batch({ operation: 'update', items: [{ id: clientId, note: 'Monthly' }] }),
  'leads.batch': ({ dealkeep }) => dealkeep.leads.batch({ operation: 'create', items: [{ name: 'x' }] }),
  'activities.batch': ({ dealkeep, activityId }) =>
    dealkeep.activities.batch({ operation: 'update', items: [{ id: activityId, location: 'Martin' }] }),
  'tasks.batch': ({ dealkeep }) =>
    dealkeep.tasks.batch({ operation: 'create', items: [{ title: 'Contract' }] }),
  'companies.get': ({ dealkeep, companyId }) => dealkeep.companies.get(companyId),
  'companies.update': ({ dealkeep, companyId }) => dealkeep.companies.update(companyId, { note: null }),
  'contacts.list': ({ dealkeep, companyId }) => dealkeep.contacts.list({ company_id: companyId }),
  'contacts.create': ({ dealkeep, companyId }) =>
    dealkeep.contacts.create({ company_id: companyId, name: 'Eva Malá', is_primary: true }),
  'contacts.upsert': ({ dealkeep, companyId }) =>
    dealkeep.contacts.upsert({
      match_by: 'email',
      email: 'eva@orava.example',
      name: 'Eva Malá',
      company_id: companyId,
    }),
  'contacts.get': ({ dealkeep, contactId }) => dealkeep.contacts.get(contactId),
  'contacts.update': ({ dealkeep, contactId }) => dealkeep.contacts.update(contactId, { position: 'Buyer' }),
  'companies.erase': ({ dealkeep, forgotten }) => dealkeep.companies.erase(forgotten.company),
  'contacts.erase': ({ dealkeep, forgotten }) => dealkeep.contacts.erase(forgotten.contact),
  'clients.erase': ({ dealkeep, forgotten }) => dealkeep.clients.erase(forgotten.client),
  'leads.erase': ({ dealkeep, forgotten }) => dealkeep.leads.erase(forgotten.lead),
  'leads.list': ({ dealkeep }) => dealkeep.leads.list({ status: 'open', archived: false }),
  'leads.create': ({ dealkeep }) => dealkeep.leads.create({ name: 'x' }),
  'leads.get': ({ dealkeep, leadId }) => dealkeep.leads.get(leadId),
  'leads.update': ({ dealkeep, leadId }) => dealkeep.leads.update(leadId, { value: 18_500.5 }),
  'leads.move': ({ dealkeep, leadId, wonStageId }) => dealkeep.leads.move(leadId, { stage_id: wonStageId }),
  'leads.archive': ({ dealkeep, leadId }) => dealkeep.leads.archive(leadId),
  'clients.list': ({ dealkeep }) => dealkeep.clients.list({ q: 'tatra' }),
  'clients.create': ({ dealkeep, otherCompanyId }) =>
    dealkeep.clients.create({ company_id: otherCompanyId, reference_code: 'C-2' }),
  'clients.upsert': ({ dealkeep, companyId }) =>
    dealkeep.clients.upsert({ match_by: 'company_id', company_id: companyId, note: 'Monthly' }),
  'clients.get': ({ dealkeep, clientId }) => dealkeep.clients.get(clientId),
  'clients.update': ({ dealkeep, clientId }) => dealkeep.clients.update(clientId, { note: 'Monthly' }),
  'activities.list': ({ dealkeep }) => dealkeep.activities.list({ status: 'open', sort: '-start_at' }),
  'activities.create': ({ dealkeep, leadId }) =>
    dealkeep.activities.create({ name: 'Call', start_at: '2027-01-11T08:00:00Z', lead_id: leadId }),
  'activities.get': ({ dealkeep, activityId }) => dealkeep.activities.get(activityId),
  'activities.update': ({ dealkeep, activityId }) =>
    dealkeep.activities.update(activityId, { location: 'Košice' }),
  'activities.complete': ({ dealkeep, activityId }) => dealkeep.activities.complete(activityId),
  'tasks.list': ({ dealkeep }) => dealkeep.tasks.list({ completed: false, sort: 'due_date' }),
  'tasks.create': ({ dealkeep }) => dealkeep.tasks.create({ title: 'Contract', due_date: '2027-01-31' }),
  'tasks.get': ({ dealkeep, taskId }) => dealkeep.tasks.get(taskId),
  'tasks.update': ({ dealkeep, taskId }) => dealkeep.tasks.update(taskId, { completed: true }),
  'invoices.list': ({ dealkeep }) => dealkeep.invoices.list({ is_paid: false }),
  'invoices.create': ({ dealkeep, clientId }) =>
    dealkeep.invoices.create({
      client_id: clientId,
      items: [{ name: 'City bike', unit_price: 450, quantity: 2, vat_rate: 23 }],
    }),
  'invoices.get': ({ dealkeep, invoiceId }) => dealkeep.invoices.get(invoiceId),
  'bookings.list': ({ dealkeep }) => dealkeep.bookings.list({ status: 'pending' }),
  'bookings.create': ({ dealkeep, serviceId }) =>
    dealkeep.bookings.create({
      service_id: serviceId,
      starts_at: '2027-03-01T08:00:00Z',
      customer: { name: 'Eva Malá' },
    }),
  'bookings.get': ({ dealkeep, bookingId }) => dealkeep.bookings.get(bookingId),
  'bookings.cancel': ({ dealkeep, bookingId }) => dealkeep.bookings.cancel(bookingId, { reason: 'Ill' }),
  'orders.list': ({ dealkeep }) => dealkeep.orders.list({ payment_status: 'unpaid' }),
  'orders.create': ({ dealkeep, productUuid }) =>
    dealkeep.orders.create({
      customer: { name: 'Eva Malá' },
      items: [{ product_uuid: productUuid, quantity: 1 }],
    }),
  'orders.get': ({ dealkeep, orderUuid }) => dealkeep.orders.get(orderUuid),
  'products.list': ({ dealkeep }) => dealkeep.products.list({ active: true, include: 'stock' }),
  'products.get': ({ dealkeep, productUuid }) => dealkeep.products.get(productUuid, { include: 'stock' }),
  'users.list': ({ dealkeep }) => dealkeep.users.list(),
  'users.get': ({ dealkeep, listed }) => dealkeep.users.get(listed.users),
  'pipelines.list': ({ dealkeep }) => dealkeep.pipelines.list(),
  'pipelines.get': ({ dealkeep, listed }) => dealkeep.pipelines.get(listed.pipelines),
  'lead-origins.list': ({ dealkeep }) => dealkeep.leadOrigins.list(),
  'lead-origins.get': ({ dealkeep, listed }) => dealkeep.leadOrigins.get(listed.leadOrigins),
  'lost-reasons.list': ({ dealkeep }) => dealkeep.lostReasons.list(),
  'lost-reasons.get': ({ dealkeep, listed }) => dealkeep.lostReasons.get(listed.lostReasons),
  'tags.list': ({ dealkeep }) => dealkeep.tags.list(),
  'tags.get': ({ dealkeep, listed }) => dealkeep.tags.get(listed.tags),
  'custom-fields.list': ({ dealkeep }) => dealkeep.customFields.list(),
  'custom-fields.get': ({ dealkeep, listed }) => dealkeep.customFields.get(listed.customFields),
  'activity-types.list': ({ dealkeep }) => dealkeep.activityTypes.list(),
  'activity-types.get': ({ dealkeep, listed }) => dealkeep.activityTypes.get(listed.activityTypes),
  'projects.list': ({ dealkeep }) => dealkeep.projects.list(),
  'projects.get': ({ dealkeep, listed }) => dealkeep.projects.get(listed.projects),
  'product-categories.list': ({ dealkeep }) => dealkeep.productCategories.list(),
  'product-categories.get': ({ dealkeep, listed }) =>
    dealkeep.productCategories.get(listed.productCategories),
  'booking-services.list': ({ dealkeep }) => dealkeep.bookingServices.list(),
  'booking-services.get': ({ dealkeep, listed }) => dealkeep.bookingServices.get(listed.bookingServices),
  'booking-services.availability': ({ dealkeep, serviceId }) =>
    dealkeep.bookingServices.availability(serviceId, { from: '2027-02-01', to: '2027-02-02' }),
  'booking-staff.list': ({ dealkeep }) => dealkeep.bookingStaff.list(),
  'booking-staff.get': ({ dealkeep, listed }) => dealkeep.bookingStaff.get(listed.bookingStaff),
  'events.list': ({ dealkeep }) => dealkeep.events.list({ types: 'lead.created,lead.won', limit: 5 }),
  'events.get': ({ dealkeep, eventId }) => dealkeep.events.get(eventId),
  'search.all': ({ dealkeep }) => dealkeep.search.all({ q: 'tatra', types: 'company,contact' }),
  'webhook-deliveries.list': ({ dealkeep, delivery: { hookId } }) =>
    dealkeep.webhookDeliveries.list(hookId, { status: 'failed', event: 'lead.created' }),
  'webhook-deliveries.get': ({ dealkeep, delivery: { hookId, eventId } }) =>
    dealkeep.webhookDeliveries.get(hookId, eventId),
  'webhooks.list': ({ dealkeep }) => dealkeep.webhooks.list(),
  'webhooks.create': ({ dealkeep }) =>
    dealkeep.webhooks.create({ target_url: targetUrl, events: ['lead.created', 'lead.won'] }),
  'webhooks.events': ({ dealkeep }) => dealkeep.webhooks.events(),
  'webhooks.sample': ({ dealkeep }) => dealkeep.webhooks.sample('lead.won'),
  'webhooks.get': ({ dealkeep, hookId }) => dealkeep.webhooks.get(hookId),
  'webhooks.update': ({ dealkeep, hookId }) =>
    dealkeep.webhooks.update(hookId, { name: 'Lost leads', filters: { tag: ['VIP'] } }),
  'webhooks.test': ({ dealkeep, delivery: { hookId } }) =>
    dealkeep.webhooks.test(hookId, { event: 'lead.lost' }),
  'webhooks.recover': ({ dealkeep, delivery: { hookId } }) =>
    dealkeep.webhooks.recover(hookId, {
      since: new Date(Date.now() - 3600_000).toISOString(),
      only_failed: true,
    }),
  'webhook-deliveries.resend': ({ dealkeep, delivery: { hookId, eventId } }) =>
    dealkeep.webhookDeliveries.resend(hookId, eventId),
  'webhooks.delete': ({ dealkeep, hookId }) => dealkeep.webhooks.delete(hookId),
};

let baseUrl: string;
let apiKey: string;
let setting: Omit<Setting, 'dealkeep'>;

beforeAll(async () => {
  const running = await sharedDealkeep();
  baseUrl = running.baseUrl;
  const organization = await running.createOrganization();
  await seedDemo(running.core, organization.slug, 'small');
  apiKey = organization.key;
  const dealkeep = createClient({ baseUrl, apiKey });
  const company = await dealkeep.companies.create({ name: 'Tatra Bikes s.r.o.' });
  const contact = await dealkeep.contacts.create({ company_id: company.id, name: 'Peter Novák' });
  const lead = await dealkeep.leads.create({ company_id: company.id, value: 1200 });
  const other = await dealkeep.companies.create({ name: 'Orava Timber' });
  const client = await dealkeep.clients.create({ company_id: company.id });
  const activity = await dealkeep.activities.create({ name: 'Call', start_at: '2027-01-11T08:00:00Z' });
  const task = await dealkeep.tasks.create({ title: 'Contract' });
  const invoice = await dealkeep.invoices.create({ items: [{ name: 'City bike', unit_price: 450 }] });
  const [service] = (await dealkeep.bookingServices.list()).data;
  const booking = await dealkeep.bookings.create({
    service_id: service?.id ?? '',
    starts_at: '2027-02-01T08:00:00Z',
    customer: { name: 'Eva Malá' },
  });
  const [product] = (await dealkeep.products.list()).data;
  const order = await dealkeep.orders.create({
    customer: {},
    items: [{ product_uuid: product?.uuid ?? '', quantity: 1 }],
  });
  const hook = await dealkeep.webhooks.create({ target_url: targetUrl, event: 'lead.lost' });
  const failing = await dealkeep.webhooks.create({ target_url: targetUrl, event: 'lead.lost' });
  const delivered = await logAttempt(running, { organization: organization.id, hook: failing.id });
  const [event] = (await dealkeep.events.list({ limit: 1 })).data;
  const pipeline = (await dealkeep.pipelines.list()).data.find((each) => each.is_default);
  const won = pipeline?.stages.find(({ kind }) => kind === 'won');
  const old = await dealkeep.companies.create({ name: 'Ján Starý' });
  const ofOld = { company_id: old.id, name: 'Ján Starý' };
  setting = {
    forgotten: {
      company: old.id,
      contact: (await dealkeep.contacts.create(ofOld)).id,
      client: (await dealkeep.clients.create({ company_id: old.id })).id,
      lead: (await dealkeep.leads.create(ofOld)).id,
    },
    companyId: company.id,
    contactId: contact.id,
    leadId: lead.id,
    otherCompanyId: other.id,
    clientId: client.id,
    activityId: activity.id,
    taskId: task.id,
    invoiceId: invoice.id,
    serviceId: service?.id ?? '',
    bookingId: booking.id,
    orderUuid: order.uuid,
    productUuid: product?.uuid ?? '',
    hookId: hook.id,
    eventId: event?.id ?? '',
    delivery: { hookId: failing.id, eventId: delivered },
    wonStageId: won?.id ?? '',
    listed: Object.fromEntries(
      await Promise.all(
        lookups.map(async (name) => {
          const { data } = await dealkeep[name].list();
          return [name, data[0]?.id ?? ''] as const;
        }),
      ),
    ) as Setting['listed'],
  };
});

test.each(operationIds)('%s sends its request and returns what the contract promises', async (id) => {
  const sent: string[] = [];
  const dealkeep = createClient({
    baseUrl,
    apiKey,
    fetch: (url, init) => {
      sent.push(`${init.method} ${new URL(url).pathname}`);
      return fetch(url, init);
    },
  });

  const returned = await (calls[id] ?? plainCall(id))({ ...setting, dealkeep });

  const operation: OperationDeclaration = operations[id];
  const path = operation.path.replaceAll(/\{\w+\}/g, '[^/]+');
  expect(sent).toEqual([expect.stringMatching(new RegExp(`^${operation.method} /api/v1/public${path}$`))]);
  expect(promiseOf(operation).safeParse(returned).error).toBeUndefined();
});

/** An operation on records of which nothing is said above, as the contract has it: on one that was made for it. */
function plainCall(id: OperationId): (setting: Setting) => Promise<unknown> {
  const { resource, kind }: OperationDeclaration = operations[id];
  const { create, body, changes } = plainRecord(resource);
  return async ({ dealkeep }) => {
    if (kind === 'create') return called(dealkeep, id, body);
    if (kind === 'list') return called(dealkeep, id);
    const made = await called(createClient({ baseUrl, apiKey }), create.id, body);
    const record: unknown = Reflect.get(Object(made), 'id');
    return kind === 'update' ? called(dealkeep, id, record, changes) : called(dealkeep, id, record);
  };
}

/** What the client's method of an operation returns. */
function called(dealkeep: Dealkeep, id: string, ...given: readonly unknown[]): Promise<unknown> {
  const [group = '', name = ''] = id.split('.');
  const method: unknown = Reflect.get(Object(Reflect.get(dealkeep, group)), name);
  if (typeof method !== 'function') throw new Error(`The client has no ${id}`);
  return method(...given);
}

function promiseOf({ answer, shape }: OperationDeclaration): z.ZodType {
  if (!answer) return z.undefined();
  if (shape !== 'list') return answer;
  return z.object({ data: z.array(answer), next_cursor: z.string().nullable(), has_more: z.boolean() });
}
