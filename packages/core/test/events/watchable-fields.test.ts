import {
  type EventDeclaration,
  type EventType,
  events,
  eventTypes,
  everyOperation,
  isUpdate,
  operations,
  watchableFields,
} from '@dealkeep/contract';
import { inConsole, sharedDealkeep } from '@dealkeep/testing';
import { defaultPipeline, lostReason, openBusiness, openShop } from '@dealkeep/testing/business';
import { expect, test } from 'vitest';

// Rule events 14: an `x.updated` event names the fields that the contract promises, each of them, and no other.

const dealkeep = await sharedDealkeep();

const declared = (type: EventType): { watchable: string[]; namedBeside: string[] } => {
  const { namedBeside = [] }: EventDeclaration = events[type];
  return { watchable: [...watchableFields(type)], namedBeside: [...namedBeside] };
};

type Business = Awaited<ReturnType<typeof openBusiness>>;

/** The fields that the events of this type name while each change is made, by the change. */
async function namedBy(
  { eventsDuring }: Pick<Business, 'eventsDuring'>,
  type: EventType,
  changes: Readonly<Record<string, () => Promise<unknown>>>,
): Promise<Record<string, string[]>> {
  const named: Record<string, string[]> = {};
  for (const [field, change] of Object.entries(changes)) {
    const caused = await eventsDuring(change);
    named[field] = caused
      .filter((event) => event.type === type)
      .flatMap((event) => event.changed_fields ?? []);
  }
  return named;
}

const union = (named: Readonly<Record<string, readonly string[]>>): string[] =>
  [...new Set(Object.values(named).flat())].toSorted();

/** A change of one field after another by PATCH; the value may have to be found first. */
const patches = (
  { api }: Business,
  path: string,
  values: Readonly<Record<string, unknown>>,
): Record<string, () => Promise<unknown>> =>
  Object.fromEntries(
    Object.entries(values).map(([field, value]) => [
      field,
      async () => expect((await api.patch(path, { [field]: value })).outcome).toBe('200'),
    ]),
  );

async function labelled(business: Business): Promise<void> {
  for (const [list, name] of [
    ['tags.add', 'VIP'],
    ['lead-origins.add', 'Fair at Nitra'],
  ] as const) {
    await inConsole(dealkeep.core, business.organization, list, { name });
  }
  const segment = { name: 'Segment', type: 'text', required: false };
  await inConsole(dealkeep.core, business.organization, 'custom-fields.add', segment);
}

test('company.updated (rule events 14)', async () => {
  const business = await openBusiness(dealkeep);
  const { api, organization } = business;
  await labelled(business);
  const { id } = (await api.post('/companies', { name: 'Acme' })).data;
  await api.post('/contacts', { company_id: id, name: 'Eva' });
  const values = {
    name: 'New',
    email: 'a@b.example',
    phone: '+421',
    street: 'Hlavná 1',
    city: 'Nitra',
    postal_code: '949 01',
    country_code: 'CZ',
    registration_id: '1',
    tax_id: '2',
    vat_id: '3',
    owner_id: organization.ownerId,
    note: 'Note',
    tags: ['VIP'],
    custom_fields: { Segment: 'Retail' },
    add_tags: ['Fair'],
    remove_tags: ['Fair'],
  };
  expect(Object.keys(values)).toEqual(Object.keys(operations['companies.update'].body.shape));
  const label = (labels: object) => () =>
    inConsole(dealkeep.core, organization, 'companies.labels', { id, ...labels });
  const named = await namedBy(business, 'company.updated', {
    ...patches(business, `/companies/${id}`, values),
    tagsInForm: label({ tags: [] }),
    customFieldsInForm: label({ custom_fields: {} }),
  });
  const { watchable, namedBeside } = declared('company.updated');
  expect(union(named)).toEqual([...watchable, ...namedBeside].toSorted());
  // The contacts show the name of their company; a contact's own change is told by its own event.
  expect(named['name']).toEqual(['name', 'contacts']);
  expect(namedBeside).toEqual(['contacts']);
});

test('contact.updated', async () => {
  const business = await openBusiness(dealkeep);
  const { api, organization } = business;
  const company = (await api.post('/companies', { name: 'Acme' })).data;
  const other = (await api.post('/companies', { name: 'Beta' })).data;
  const { id } = (await api.post('/contacts', { company_id: company.id, name: 'Eva' })).data;
  const values = {
    company_id: other.id,
    name: 'Eva Nová',
    email: 'eva@b.example',
    phone: '+421',
    position: 'Buyer',
    is_primary: true,
    note: 'Note',
  };
  expect(Object.keys(values)).toEqual(Object.keys(operations['contacts.update'].body.shape));
  const named = await namedBy(business, 'contact.updated', {
    ...patches(business, `/contacts/${id}`, values),
    further: () =>
      inConsole(dealkeep.core, organization, 'contacts.addresses', {
        id,
        further_emails: ['e@f.example'],
        further_phones: ['1'],
      }),
    demoted: () => api.post('/contacts', { company_id: other.id, name: 'Ivan', is_primary: true }),
  });
  expect(union(named)).toEqual(declared('contact.updated').watchable.toSorted());
  expect(named).toMatchObject({ further: ['emails', 'phones'], demoted: ['is_primary'] });
});

test('client.updated', async () => {
  const business = await openBusiness(dealkeep);
  const { api, organization } = business;
  const company = (await api.post('/companies', { name: 'Acme' })).data;
  const other = (await api.post('/companies', { name: 'Beta' })).data;
  const { id } = (await api.post('/clients', { company_id: company.id })).data;
  const values = {
    company_id: other.id,
    owner_id: organization.ownerId,
    note: 'Note',
    reference_code: 'R-1',
    reference_name: 'Agreement',
    reference_valid_until: '2031-01-31',
  };
  expect(Object.keys(values)).toEqual(Object.keys(operations['clients.update'].body.shape));
  const named = await namedBy(business, 'client.updated', patches(business, `/clients/${id}`, values));
  expect(union(named)).toEqual(declared('client.updated').watchable.toSorted());
});

test('lead.updated (rule events 14)', async () => {
  const business = await openBusiness(dealkeep);
  const { api, organization } = business;
  await labelled(business);
  const { id: pipeline, stages } = await defaultPipeline(api);
  const company = (await api.post('/companies', { name: 'Acme' })).data;
  const contact = (await api.post('/contacts', { company_id: company.id, name: 'Eva' })).data;
  await api.post('/clients', { company_id: company.id });
  const [origin] = (await api.get('/lead-origins')).page.data;
  const { id } = (await api.post('/leads', { name: 'Old' })).data;
  const values = {
    name: 'New',
    value: 5,
    acquisition_cost: 1,
    expected_close_date: '2031-01-31',
    note: 'Note',
    owner_id: organization.ownerId,
    assignee_ids: [organization.ownerId],
    origin_id: origin?.id,
    // These two are a move, and told by lead.stage_changed.
    pipeline_id: pipeline,
    stage_id: stages['Lost'],
    company_id: company.id,
    contact_id: contact.id,
    tags: ['VIP'],
    add_tags: ['Fair'],
    remove_tags: ['Fair'],
    lost_reason_id: await lostReason(api),
    lost_note: 'Silent.',
  };
  expect(Object.keys(values).toSorted()).toEqual(
    Object.keys(operations['leads.update'].body.shape).toSorted(),
  );
  const named = await namedBy(business, 'lead.updated', {
    ...patches(business, `/leads/${id}`, values),
    tagsInForm: () => inConsole(dealkeep.core, organization, 'leads.tags', { id, tags: [] }),
    moved: () => api.post(`/leads/${id}/move`, { stage_id: stages['Won'], lost_reason_id: null }),
    archived: () => api.post(`/leads/${id}/archive`, {}),
  });
  const { watchable, namedBeside } = declared('lead.updated');
  expect(union(named)).toEqual(watchable.toSorted());
  expect(named).toMatchObject({ stage_id: [], moved: [], archived: [] });
  expect(namedBeside).not.toContain('archived_at');
});

test('lead.updated beside a move in one request names what the move changed as well', async () => {
  const business = await openBusiness(dealkeep);
  const { api, organization } = business;
  const { stages } = await defaultPipeline(api);
  const other = await inConsole(dealkeep.core, organization, 'pipelines.add', {
    name: 'Other',
    is_default: false,
    require_lost_reason: false,
  });
  const lost = { stage_id: stages['Lost'], lost_reason_id: await lostReason(api), lost_note: 'Dear' };
  const { id } = (await api.post('/leads', { name: 'A' })).data;
  const both = (name: string, more: object) => async () =>
    expect((await api.patch(`/leads/${id}`, { name, ...more })).outcome).toBe('200');
  const first = await namedBy(business, 'lead.updated', {
    won: both('B', { stage_id: stages['Won'] }),
    lost: both('C', { stage_id: stages['Lost'] }),
    reopened: both('D', { stage_id: stages['Contacted'] }),
  });
  await api.post(`/leads/${id}/move`, lost);
  const second = await namedBy(business, 'lead.updated', {
    reopened: both('E', { stage_id: stages['Contacted'] }),
    elsewhere: both('F', { pipeline_id: other.id }),
  });
  const { namedBeside } = declared('lead.updated');
  const named = union({ ...first, again: Object.values(second).flat() });
  // Fields of a lost lead, which the move changed as well.
  expect(named).toEqual(['name', 'lost_reason', 'lost_note', ...namedBeside].toSorted());
});

test('product.updated', async () => {
  const shop = await openShop(dealkeep);
  const { uuid } = await shop.addProduct({ price: 9.9 });
  const image = { url: 'https://example.com/a.png', title: 'A', alt_text: 'a', is_primary: true };
  const file = {
    url: 'https://example.com/a.pdf',
    title: 'A',
    kind: 'manual',
    locale: 'sk',
    mime: 'x/y',
    size_bytes: 1,
  };
  const values = {
    sku: 'NEW',
    ean: '1',
    name: 'New',
    description: 'Light',
    price: 10,
    discounted_price: 9,
    vat_rate: 5,
    active: false,
    category_uuid: crypto.randomUUID(),
    stock_on_hand: 7,
    images: [image],
    attachments: [file],
  };
  expect(Object.keys(values)).toEqual(Object.keys(everyOperation['products.update'].body.shape));
  expect(Object.keys(values)).toEqual(Object.keys(everyOperation['products.create'].body.shape));
  const named = await namedBy(
    shop,
    'product.updated',
    Object.fromEntries(
      Object.entries(values).map(([field, value]) => [
        field,
        () => inConsole(dealkeep.core, shop.name, 'products.update', { uuid, [field]: value }),
      ]),
    ),
  );
  expect(union(named)).toEqual(declared('product.updated').watchable.toSorted());
  expect(named).toMatchObject({ vat_rate: [], stock_on_hand: [] });
});

test('each x.updated of the catalog stands above, and no other event names fields', () => {
  expect(eventTypes.filter(isUpdate).toSorted()).toEqual([
    'client.updated',
    'company.updated',
    'contact.updated',
    'lead.updated',
    'product.updated',
  ]);
  expect(eventTypes.filter((type) => type.endsWith('.updated')).every(isUpdate)).toBe(true);
});
