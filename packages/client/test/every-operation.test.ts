import { createClient, type Dealkeep } from '@dealkeep/client';
import { type OperationDeclaration, type OperationId, operationIds, operations } from '@dealkeep/contract';
import { seedDemo } from '@dealkeep/core';
import { startDealkeep } from '@dealkeep/testing';
import { beforeAll, expect, test } from 'vitest';
import * as z from 'zod';

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
  wonStageId: string;
}

const targetUrl = 'http://127.0.0.1:9/hook';

/** Each operation once, as customers write it. One that is missing here does not compile. */
const calls: Record<OperationId, (setting: Setting) => PromiseLike<unknown>> = {
  'me.get': ({ dealkeep }) => dealkeep.me.get(),
  'companies.list': ({ dealkeep }) => dealkeep.companies.list({ q: 'tatra', sort: 'name' }),
  'companies.create': ({ dealkeep }) => dealkeep.companies.create({ name: 'Orava Tools', city: 'Námestovo' }),
  'companies.get': ({ dealkeep, companyId }) => dealkeep.companies.get(companyId),
  'companies.update': ({ dealkeep, companyId }) => dealkeep.companies.update(companyId, { note: null }),
  'contacts.list': ({ dealkeep, companyId }) => dealkeep.contacts.list({ company_id: companyId }),
  'contacts.create': ({ dealkeep, companyId }) =>
    dealkeep.contacts.create({ company_id: companyId, name: 'Eva Malá', is_primary: true }),
  'contacts.get': ({ dealkeep, contactId }) => dealkeep.contacts.get(contactId),
  'contacts.update': ({ dealkeep, contactId }) => dealkeep.contacts.update(contactId, { position: 'Buyer' }),
  'leads.list': ({ dealkeep }) => dealkeep.leads.list({ status: 'open', archived: false }),
  'leads.create': ({ dealkeep }) => dealkeep.leads.create({ name: 'x' }),
  'leads.get': ({ dealkeep, leadId }) => dealkeep.leads.get(leadId),
  'leads.update': ({ dealkeep, leadId }) => dealkeep.leads.update(leadId, { value: 18_500.5 }),
  'leads.move': ({ dealkeep, leadId, wonStageId }) => dealkeep.leads.move(leadId, { stage_id: wonStageId }),
  'leads.archive': ({ dealkeep, leadId }) => dealkeep.leads.archive(leadId),
  'clients.list': ({ dealkeep }) => dealkeep.clients.list({ q: 'tatra' }),
  'clients.create': ({ dealkeep, otherCompanyId }) =>
    dealkeep.clients.create({ company_id: otherCompanyId, reference_code: 'C-2' }),
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
  'pipelines.list': ({ dealkeep }) => dealkeep.pipelines.list(),
  'lead-origins.list': ({ dealkeep }) => dealkeep.leadOrigins.list(),
  'lost-reasons.list': ({ dealkeep }) => dealkeep.lostReasons.list(),
  'tags.list': ({ dealkeep }) => dealkeep.tags.list(),
  'custom-fields.list': ({ dealkeep }) => dealkeep.customFields.list(),
  'activity-types.list': ({ dealkeep }) => dealkeep.activityTypes.list(),
  'projects.list': ({ dealkeep }) => dealkeep.projects.list(),
  'product-categories.list': ({ dealkeep }) => dealkeep.productCategories.list(),
  'booking-services.list': ({ dealkeep }) => dealkeep.bookingServices.list(),
  'booking-staff.list': ({ dealkeep }) => dealkeep.bookingStaff.list(),
  'webhooks.list': ({ dealkeep }) => dealkeep.webhooks.list(),
  'webhooks.create': ({ dealkeep }) =>
    dealkeep.webhooks.create({ target_url: targetUrl, events: ['lead.created', 'lead.won'] }),
  'webhooks.events': ({ dealkeep }) => dealkeep.webhooks.events(),
  'webhooks.sample': ({ dealkeep }) => dealkeep.webhooks.sample('lead.won'),
  'webhooks.get': ({ dealkeep, hookId }) => dealkeep.webhooks.get(hookId),
  'webhooks.delete': ({ dealkeep, hookId }) => dealkeep.webhooks.delete(hookId),
};

let baseUrl: string;
let apiKey: string;
let setting: Omit<Setting, 'dealkeep'>;

beforeAll(async () => {
  const running = await startDealkeep({ worker: false });
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
  const pipeline = (await dealkeep.pipelines.list()).data.find((each) => each.is_default);
  const won = pipeline?.stages.find(({ kind }) => kind === 'won');
  setting = {
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
    wonStageId: won?.id ?? '',
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

  const returned = await calls[id]({ ...setting, dealkeep });

  const operation: OperationDeclaration = operations[id];
  const path = operation.path.replaceAll(/\{\w+\}/g, '[^/]+');
  expect(sent).toEqual([expect.stringMatching(new RegExp(`^${operation.method} /api/v1/public${path}$`))]);
  expect(promiseOf(operation).safeParse(returned).error).toBeUndefined();
});

function promiseOf({ answer, shape }: OperationDeclaration): z.ZodType {
  if (!answer) return z.undefined();
  if (shape !== 'list') return answer;
  return z.object({ data: z.array(answer), next_cursor: z.string().nullable(), has_more: z.boolean() });
}
