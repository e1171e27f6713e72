import { eventTypes } from '@dealkeep/contract';
import { exportOrganization } from '@dealkeep/core/installation';
import { continueErasures } from '@dealkeep/core/records';
import {
  createManualWebhook,
  eventually,
  inConsole,
  startDealkeep,
  startHookReceiver,
} from '@dealkeep/testing';
import { openSalon } from '@dealkeep/testing/business';
import { expect, test } from 'vitest';
import { trace, tracesIn } from './traces.ts';

const dealkeep = await startDealkeep();
const { core, sql } = dealkeep;

const text = (what: string): string => `${what} ${trace}`;

/** A contact, a lead and everything that belongs to them, of a company that is given. */
async function fill(business: Awaited<ReturnType<typeof openSalon>>, company: string) {
  const { api, organization } = business;
  const answered: [path: string, body: object, key: string][] = [];
  /** With a key, so that the answer is stored. */
  const post = async (path: `/${string}`, body: object) => {
    const key = `key-${answered.length}-${company}`;
    answered.push([path, body, key]);
    const { data } = await api.send<{ id: string; uuid: string }>('POST', path, {
      json: body,
      headers: { 'Idempotency-Key': key },
    });
    return data.id ?? data.uuid;
  };
  const contact = await post('/contacts', {
    company_id: company,
    name: text('Eva'),
    email: `eva@${trace}.example`,
    phone: text('+421'),
    position: text('Buyer'),
    note: text('Likes tea'),
  });
  await inConsole(core, organization, 'contacts.addresses', {
    id: contact,
    further_emails: [`other@${trace}.example`],
    further_phones: [text('+420')],
  });
  const lead = await post('/leads', {
    name: text('Bikes'),
    note: text('Call Eva'),
    value: 100,
    company_id: company,
    contact_id: contact,
    tags: ['Kept'],
  });
  const lost = (await api.get('/pipelines')).page.data[0]?.stages.find(({ kind }) => kind === 'lost');
  await api.post(`/leads/${lead}/move`, { stage_id: lost?.id, lost_note: text('Eva left') });
  const activities = [
    await post('/activities', { name: text('Visit'), start_at: '2027-01-01T08:00:00Z', contact_id: contact }),
    await post('/activities', { name: text('Call'), start_at: '2027-01-01T08:00:00Z', lead_id: lead }),
  ];
  for (const id of activities) {
    await api.patch(`/activities/${id}`, {
      name: text('Other'),
      location: text('At'),
      note: text('Says'),
      video_call_url: `https://${trace}.example/`,
    });
    await api.post(`/activities/${id}/complete`);
  }
  const task = await post('/tasks', { title: text('Write'), description: text('To Eva'), lead_id: lead });
  await api.patch(`/tasks/${task}`, { title: text('Write again'), completed: true });
  const booking = await post('/bookings', {
    service_id: business.service,
    starts_at: '2027-01-01T08:00:00Z',
    customer: { name: text('Eva'), email: `EVA@${trace}.example`, phone: text('+421') },
    notes: text('Late'),
  });
  await api.post(`/bookings/${booking}/cancel`, { reason: text('Ill') });
  const order = await post('/orders', {
    customer: {
      name: text('Eva'),
      email: `other@${trace}.example`,
      phone: text('+421'),
      billing_address: text('Street'),
      delivery_address: JSON.stringify({ street: text('Street'), city: text('City') }),
    },
    items: [{ sku: 'Kept', quantity: 1, unit_price: 5, notes: text('Wrap it') }],
    notes: text('Ring'),
    auto_confirm: true,
  });
  await inConsole(core, organization, 'quotes.create', {
    lead_id: lead,
    company_id: company,
    items: [{ name: 'Kept', unit_price: 5 }],
  });
  await api.patch(`/contacts/${contact}`, { name: text('Eva New'), phone: text('+422'), note: text('New') });
  await api.patch(`/leads/${lead}`, { name: text('Bikes again'), note: text('Once more') });
  return { contact, lead, activities, task, booking, order, answered };
}

/**
 * Webhooks to which everything was delivered, is tried again, and is held. Receivers answer with what they are sent.
 */
async function subscribe({ organization }: Awaited<ReturnType<typeof openSalon>>) {
  const receiver = await startHookReceiver();
  receiver.answerWith(({ path, body }) => ({ status: path === '/hook' ? 200 : 500, body }));
  const webhooks = [];
  for (const target of [receiver.url, `${receiver.url}/failing`, `${receiver.url}/held`]) {
    const events = [...eventTypes];
    webhooks.push(
      await createManualWebhook(core, organization, { name: 'Kept', target_url: target, events }),
    );
  }
  await sql`
    update webhooks set disabled_reason = 'failing', disabled_at = now(), failing_since = now()
    where id = ${webhooks[2]?.id ?? null}`;
  return receiver;
}

const countOf = async (table: string): Promise<number> =>
  Number((await sql`select count(*)::integer as count from ${sql(table)}`)[0]?.['count']);

/** All texts of an export. */
async function exported(slug: string): Promise<string> {
  const files: string[] = [];
  await exportOrganization(core, slug, { append: async (_, text) => void files.push(text) });
  return files.join('\n');
}

const later = { now: () => new Date(Date.now() + 10 * 60_000) };

test('of a company, its contacts and all that belongs to them no text is left in any table (rules erasing 5, 6, 7, 8 and 9)', async () => {
  const business = await openSalon(dealkeep);
  const { api, organization } = business;
  await subscribe(business);
  const field = { name: 'Kept field', type: 'text', required: false };
  await inConsole(core, organization, 'custom-fields.add', field);
  const whole = {
    name: text('Acme'),
    street: text('Street'),
    city: text('City'),
    postal_code: trace,
    email: `acme@${trace}.example`,
    phone: text('+421'),
    registration_id: text('1'),
    tax_id: text('2'),
    vat_id: text('3'),
    note: text('Note'),
    custom_fields: { 'Kept field': text('Value') },
    tags: ['Kept'],
  };
  const { data: company } = await api.post('/companies', whole, { 'Idempotency-Key': 'company' });
  const { data: client } = await api.post(
    '/clients',
    {
      company_id: company.id,
      note: text('Client'),
      reference_code: text('C'),
      reference_name: text('Reference'),
    },
    { 'Idempotency-Key': 'client' },
  );
  const filled = await fill(business, company.id);
  const { data: invoice } = await api.post('/invoices', {
    client_id: client.id,
    company_id: company.id,
    note: text('Thanks'),
    items: [{ name: 'Kept item', unit_price: 10 }],
  });
  const { data: order } = await api.post('/orders', {
    customer: { name: text('Eva'), client_uuid: client.id, company_uuid: company.id },
    items: [{ sku: 'Kept', quantity: 1, unit_price: 5 }],
    payment_method: 'Kept card',
    external_id: 'Kept 1',
  });
  await sql`
    update bookings set customer_company = ${text('Acme')}, client_id = ${client.id} where id = ${filled.booking}`;
  await api.patch(`/companies/${company.id}`, { name: text('Acme New'), note: null });
  const delivered = await eventually(async () => {
    const [log] = await sql`
      select count(distinct event_id) filter (where status = 200)::integer as ok,
             count(distinct event_id) filter (where status = 500)::integer as failed
      from attempts`;
    expect(log?.['ok']).toBe(log?.['failed']);
    expect(log?.['ok']).toBe(await countOf('events'));
    return Number(log?.['ok']);
  });
  expect(delivered).toBeGreaterThan(20);
  expect(await countOf('deliveries')).toBe(delivered);
  expect(await countOf('held_events')).toBe(delivered);
  expect(await tracesIn(dealkeep)).toEqual(
    expect.arrayContaining([
      'companies.custom_fields',
      'contacts.further_phones',
      'clients.reference_name',
      'leads.lost_note',
      'activities.video_call_url',
      'tasks.description',
      'bookings.cancellation_reason',
      'orders.delivery_address',
      'order_items.notes',
      'invoices.note',
      'events.envelope',
      'attempts.response_start',
    ]),
  );

  const events = await countOf('events');
  const { data: erasure } = await api.send<Record<string, unknown>>(
    'POST',
    `/companies/${company.id}/erase`,
    {
      headers: { 'Idempotency-Key': 'erasure' },
    },
  );
  expect(await tracesIn(dealkeep)).toEqual([]);
  expect(erasure).toMatchObject({ record_id: company.id, finished_at: expect.any(String) });
  expect(erasure).toMatchObject({
    records: 11,
    answers: 9,
    events: expect.any(Number),
    attempts: expect.any(Number),
  });
  expect(await countOf('events')).toBe(events);
  expect(await countOf('deliveries')).toBe(0);
  expect(await countOf('held_events')).toBe(0);

  const feed = await api.send('GET', '/events?limit=100');
  expect(feed.text).not.toContain(trace);
  const repeats = await Promise.all(
    filled.answered.map(([path, body, key]) =>
      api.send('POST', path, { json: body, headers: { 'Idempotency-Key': key } }),
    ),
  );
  expect(repeats.map(({ status }) => status)).toEqual(filled.answered.map(() => 201));
  expect(repeats.map((repeat) => repeat.text).join()).not.toContain(trace);
  expect(await exported(organization.slug)).not.toContain(trace);

  const husk = (await api.get(`/companies/${company.id}`)).data;
  expect(husk).toMatchObject({
    name: '[erased]',
    email: null,
    tags: [],
    custom_fields: {},
    country_code: 'SK',
  });
  expect(husk.contacts).toMatchObject([{ id: filled.contact, name: '[erased]', emails: [], phones: [] }]);
  expect((await api.get(`/invoices/${invoice.id}`)).data).toEqual({
    ...invoice,
    counterparty: {
      client: { id: client.id, name: '[erased]' },
      company: { id: company.id, name: '[erased]' },
      name: '[erased]',
    },
    updated_at: expect.any(String),
  });
  expect((await api.get(`/orders/${order.uuid}`)).data).toMatchObject({
    internal_number: order.internal_number,
    grand_total: order.grand_total,
    payment_method: 'Kept card',
    external_id: 'Kept 1',
    customer_name: null,
    items: [{ name: 'Kept', unit_price: 5 }],
  });
  expect((await api.get(`/companies?q=${trace}`)).page.data).toEqual([]);

  expect(await continueErasures({ ...core, clock: later })).toBe(1);
  expect(await countOf('erasing_records')).toBe(0);
  expect(await sql`select requested_by, api_key_id, kind, record_id, stage from erasures`).toEqual([
    {
      requested_by: organization.ownerId,
      api_key_id: organization.keyId,
      kind: 'company',
      record_id: company.id,
      stage: null,
    },
  ]);
});

test('of a contact nothing is left, and its company, the others and the numbers stay (rules erasing 5 and 11)', async () => {
  const business = await openSalon(dealkeep);
  const { api } = business;
  const { data: company } = await api.post('/companies', { name: 'Staying', email: 'info@staying.example' });
  const { data: other } = await api.post('/contacts', {
    company_id: company.id,
    name: 'Stays',
    email: 'a@b.example',
  });
  const filled = await fill(business, company.id);
  const before = (await api.get(`/companies/${company.id}`)).data;
  await api.post(`/contacts/${filled.contact}/erase`);
  expect(await tracesIn(dealkeep)).toEqual([]);
  const after = (await api.get(`/companies/${company.id}`)).data;
  expect(after).toMatchObject({ name: 'Staying', email: 'info@staying.example' });
  expect(after.contacts).toMatchObject([other, { id: filled.contact, name: '[erased]' }]);
  expect(after.updated_at).toBe(before.updated_at);
  const lead = (await api.get(`/leads/${filled.lead}`)).data;
  expect(lead).toMatchObject({
    name: '[erased]',
    value: 100,
    status: 'lost',
    tags: [],
    company: { name: 'Staying' },
  });
  // The lead is business of the company and can go on.
  expect((await api.patch(`/leads/${filled.lead}`, { name: 'Goes on' })).status).toBe(200);
});

test('of a lead nothing is left but its numbers; its company and its contact stay', async () => {
  const business = await openSalon(dealkeep);
  const { api } = business;
  const { data: company } = await api.post('/companies', { name: 'Staying' });
  const { data: contact } = await api.post('/contacts', { company_id: company.id, name: 'Stays' });
  const { data: lead } = await api.post(
    '/leads',
    { name: text('Bikes'), note: text('x'), company_id: company.id, contact_id: contact.id },
    { 'Idempotency-Key': 'lead' },
  );
  await api.post('/activities', {
    name: text('Call'),
    start_at: '2027-01-01T08:00:00Z',
    lead_id: lead.id,
    contact_id: contact.id,
  });
  await api.post('/tasks', { title: text('Write'), lead_id: lead.id });
  await api.post(`/leads/${lead.id}/erase`);
  expect(await tracesIn(dealkeep)).toEqual([]);
  expect((await api.get(`/leads/${lead.id}`)).data).toMatchObject({
    name: '[erased]',
    contact: null,
    company: { name: 'Staying' },
  });
  expect((await api.get(`/contacts/${contact.id}`)).data).toMatchObject({ name: 'Stays' });
  const events = await dealkeep.eventsOf(business.organization, lead.id);
  expect(events.map(({ data }) => data)).toMatchObject([{ name: '[erased]', contact: null, note: null }]);
  expect((await api.patch(`/leads/${lead.id}`, { name: 'Again' })).outcome).toBe('409 CONFLICT');
});

test('of a client nothing is left but its company and the numbers', async () => {
  const business = await openSalon(dealkeep);
  const { api } = business;
  const { data: company } = await api.post('/companies', { name: 'Staying' });
  const { data: client } = await api.post('/clients', { company_id: company.id, note: text('Pays late') });
  await api.patch(`/clients/${client.id}`, { reference_name: text('Ref'), reference_code: text('R') });
  await api.post('/orders', {
    customer: { name: text('Eva'), email: `eva@${trace}.example`, client_uuid: client.id },
    items: [{ sku: 'x', quantity: 1, unit_price: 5 }],
  });
  await api.post(`/clients/${client.id}/erase`);
  expect(await tracesIn(dealkeep)).toEqual([]);
  expect((await api.get(`/clients/${client.id}`)).data).toMatchObject({
    note: null,
    reference_code: null,
    company: { name: 'Staying' },
  });
});
