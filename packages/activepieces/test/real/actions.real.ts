import { inConsole, startDealkeep } from '@dealkeep/testing';
import { addProject, defaultPipeline, openSalon, stageOf } from '@dealkeep/testing/business';
import { describe, expect, test } from 'vitest';
import { connectionTo, openedBy, runAction, type Values } from './engine.ts';
import { piece } from './platform.ts';
import { messageOf } from './world.ts';

const dealkeep = await startDealkeep({ worker: false });
const salon = await openSalon(dealkeep);
const { organization, api } = salon;
const auth = connectionTo(dealkeep.baseUrl, organization.key);
const driven = new Set<string>();

/** Runs an action with its lines and custom fields as the editor found them out. */
async function act(name: string, input: Values): Promise<Values> {
  driven.add(name);
  const props = piece.getAction(name)?.props ?? {};
  const asked = Object.keys(input).filter(
    (key) => props[key]?.type === 'DYNAMIC' && name !== 'custom_api_call',
  );
  const opened = await Promise.all(asked.map(async (key) => [key, await openedBy(name, key, auth)] as const));
  return runAction(name, auth, input, { opened: Object.fromEntries(opened) });
}

const find = async (name: string, input: Values): Promise<Values[]> => {
  const { found, records } = await act(name, input);
  const all = [records].flat().map((record): Values => Object(record));
  expect(found).toBe(all.length > 0);
  return all;
};

const idsOf = (records: readonly Values[]) => records.map(({ id }) => id);

describe('every action of the piece does its work in a business (rule activepieces 2)', () => {
  let company: Values;
  let contact: Values;
  let client: Values;
  let lead: Values;

  test('companies, with tags and custom fields by their labels and kinds', async () => {
    const field = (input: Values) => inConsole(dealkeep.core, organization, 'custom-fields.add', input);
    await field({ name: 'Segment', type: 'choice', choices: ['Retail', 'Wholesale'], required: false });
    await field({ name: 'Employees', type: 'number', required: false });
    const properties = await openedBy('create_company', 'custom_fields', auth);
    const keyOf = (label: string) =>
      Object.entries(properties).find(([, { displayName }]) => displayName === label)?.[0] ?? '';
    expect(properties[keyOf('Segment')]).toMatchObject({
      type: 'STATIC_DROPDOWN',
      options: { options: [{ value: 'Retail' }, { value: 'Wholesale' }] },
    });
    expect(properties[keyOf('Employees')]).toMatchObject({ type: 'SHORT_TEXT' });

    company = await act('create_company', {
      name: 'Tatra Bikes',
      email: 'info@tatra.example',
      country_code: 'SK',
      tags: ['VIP', 'New'],
      custom_fields: { [keyOf('Segment')]: 'Retail', [keyOf('Employees')]: '12' },
    });
    expect(company).toMatchObject({
      name: 'Tatra Bikes',
      tags: expect.arrayContaining(['VIP', 'New']),
      custom_fields: { Segment: 'Retail', Employees: '12' },
    });
    const updated = await act('update_company', {
      id: company['id'],
      phone: 421905123456,
      remove_tags: ['New'],
      fields_to_clear: ['email'],
      custom_fields: { [keyOf('Segment')]: 'Wholesale' },
    });
    expect(updated).toMatchObject({
      phone: '421905123456',
      email: null,
      tags: ['VIP'],
      custom_fields: { Segment: 'Wholesale', Employees: '12' },
    });
    const found = await find('find_company', {
      custom_field: { [keyOf('Segment').replace('custom_fields', 'custom_field')]: 'Wholesale' },
    });
    expect(idsOf(found)).toEqual([company['id']]);
    expect(await act('get_company', { id: company['id'] })).toMatchObject({ name: 'Tatra Bikes' });
    expect(idsOf(await find('find_company', { name: 'tatra bikes' }))).toEqual([company['id']]);
    expect(await find('find_company', { name: 'Nobody' })).toEqual([]);
  });

  test('contacts', async () => {
    contact = await act('create_contact', { company_id: company['id'], name: 'Eva', is_primary: true });
    expect(contact).toMatchObject({ name: 'Eva', is_primary: true });
    const updated = await act('update_contact', { id: contact['id'], email: 'eva@tatra.example' });
    expect(updated).toMatchObject({ email: 'eva@tatra.example', is_primary: true });
    expect(await act('get_contact', { id: contact['id'] })).toMatchObject({ name: 'Eva' });
    expect(idsOf(await find('find_contact', { email: 'eva@tatra.example' }))).toEqual([contact['id']]);
  });

  test('clients', async () => {
    client = await act('create_client', { company_id: company['id'] });
    const updated = await act('update_client', { id: client['id'], note: 'Pays in time.' });
    expect(updated).toMatchObject({ note: 'Pays in time.' });
    expect(await act('get_client', { id: client['id'] })).toMatchObject({ note: 'Pays in time.' });
    expect(idsOf(await find('find_client', { company_id: company['id'] }))).toEqual([client['id']]);
  });

  test('leads', async () => {
    lead = await act('create_lead', {
      name: 'Fleet',
      value: '18500.5',
      expected_close_date: '2031-11-30',
      company_id: company['id'],
      contact_id: contact['id'],
    });
    expect(lead).toMatchObject({ name: 'Fleet', value: 18500.5, expected_close_date: '2031-11-30' });
    const matched = await act('create_lead', { company__name: 'Nový zákazník', contact__name: 'Ján' });
    expect(matched).toMatchObject({ company: { name: 'Nový zákazník' }, contact: { name: 'Ján' } });
    expect(await act('update_lead', { id: lead['id'], value: 20000 })).toMatchObject({ value: 20000 });
    const { stages } = await defaultPipeline(api);
    expect(await act('move_lead', { id: lead['id'], stage_id: stages['Won'] })).toMatchObject({
      status: 'won',
    });
    expect(await act('get_lead', { id: lead['id'] })).toMatchObject({ status: 'won' });
    expect(idsOf(await find('find_lead', { q: 'Fleet' }))).toEqual([lead['id']]);
    await act('archive_lead', { id: matched['id'] });
    expect(idsOf(await find('find_lead', { archived: 'true' }))).toEqual([matched['id']]);
  });

  test('activities', async () => {
    const activity = await act('create_activity', {
      name: 'Presentation',
      start_at: '2031-05-05T09:00:00+02:00',
      company_id: company['id'],
    });
    expect(activity).toMatchObject({ start_at: '2031-05-05T07:00:00.000Z' });
    const { id } = activity;
    expect(await act('update_activity', { id, name: 'Demo' })).toMatchObject({ name: 'Demo' });
    expect(await act('complete_activity', { id })).toMatchObject({ status: 'closed' });
    expect(await act('get_activity', { id })).toMatchObject({ name: 'Demo' });
    expect(idsOf(await find('find_activity', { q: 'Demo' }))).toEqual([id]);
  });

  test('tasks', async () => {
    const project = await addProject({ dealkeep, organization }, 'Web', { Now: 'to_do', Then: 'done' });
    const task = await act('create_task', {
      title: 'Call',
      due_date: '2031-05-05',
      project_id: project.id,
      stage_id: stageOf(project, 'Now'),
    });
    const { id } = task;
    expect(task).toMatchObject({ title: 'Call', due_date: '2031-05-05' });
    expect(await act('update_task', { id, priority: 'high' })).toMatchObject({ priority: 'high' });
    expect(await act('complete_task', { id })).toMatchObject({ completed_at: expect.any(String) });
    expect(await act('reopen_task', { id })).toMatchObject({ completed_at: null });
    expect(await act('get_task', { id })).toMatchObject({ title: 'Call' });
    expect(idsOf(await find('find_task', { priority: 'high' }))).toEqual([id]);
  });

  test('invoices, from lines, and from the columns of an earlier step', async () => {
    const invoice = await act('create_invoice', {
      client_id: client['id'],
      items: [{ items__name: 'City bike', items__quantity: '2', items__unit_price: 450 }],
    });
    expect(invoice).toMatchObject({ items: [{ name: 'City bike', quantity: 2, unit_price: 450 }] });
    const columns = await act('create_invoice', {
      client_id: client['id'],
      items: { items__name: ['Bell', 'Lock'], items__quantity: 1, items__unit_price: [9.9, 19] },
    });
    expect(columns).toMatchObject({ items: [{ name: 'Bell' }, { name: 'Lock' }] });
    expect(await act('get_invoice', { id: invoice['id'] })).toMatchObject({ number: invoice['number'] });
    const number = String(invoice['number']);
    expect(idsOf(await find('find_invoice', { number }))).toEqual([invoice['id']]);
  });

  test('bookings', async () => {
    const booking = await act('create_booking', {
      service_id: salon.service,
      staff_id: salon.staff,
      starts_at: '2131-05-07T09:00:00Z',
      customer__name: 'Eva Šimková',
      customer__email: 'eva@tatra.example',
    });
    const { id } = booking;
    expect(booking).toMatchObject({ status: 'pending' });
    expect(await act('get_booking', { id })).toMatchObject({ id });
    expect(idsOf(await find('find_booking', { email: 'eva@tatra.example' }))).toEqual([id]);
    expect(await act('cancel_booking', { id })).toMatchObject({ status: 'cancelled' });
  });

  test('orders, whose products are chosen in the lines', async () => {
    const product = await inConsole(dealkeep.core, organization, 'products.create', {
      sku: 'BIKE-1',
      name: 'City bike',
      price: 450,
      stock_on_hand: 3,
    });
    const lines = Object(await openedBy('create_order', 'items', auth)).items;
    expect(lines.properties.items__product_uuid.options.options).toEqual([
      { label: 'City bike (BIKE-1)', value: product.uuid },
    ]);
    const order = await act('create_order', {
      customer__name: 'Eva',
      external_id: 'SHOP-1',
      items: { items: [{ items__product_uuid: product.uuid, items__quantity: 2 }] },
    });
    expect(order).toMatchObject({ id: order['uuid'], items: [{ sku: 'BIKE-1', quantity: 2 }] });
    expect(await act('get_order', { uuid: order['uuid'] })).toMatchObject({ external_id: 'SHOP-1' });
    expect(idsOf(await find('find_order', { external_id: 'SHOP-1' }))).toEqual([order['uuid']]);
    expect(await act('get_product', { uuid: product.uuid })).toMatchObject({ sku: 'BIKE-1' });
    expect(idsOf(await find('find_product', { sku: 'BIKE-1' }))).toEqual([product.uuid]);
  });

  test('create or update, by a field that is chosen', async () => {
    const upsert = (more: Values) =>
      act('create_or_update_company', { match_by: 'registration_id', registration_id: '36123456', ...more });
    const made = await upsert({ name: 'Nitra Bikes' });
    expect(made).toMatchObject({ name: 'Nitra Bikes', upserted: 'created' });
    expect(await upsert({ city: 'Nitra' })).toMatchObject({ id: made['id'], upserted: 'updated' });

    const person = { match_by: 'email', email: 'jana@nitra.example', company_id: made['id'] };
    expect(await act('create_or_update_contact', { ...person, name: 'Jana' })).toMatchObject({
      upserted: 'created',
    });
    expect(await act('create_or_update_contact', { ...person, position: 'CEO' })).toMatchObject({
      name: 'Jana',
      upserted: 'updated',
    });

    const as = { match_by: 'company_id', company_id: made['id'] };
    expect(await act('create_or_update_client', as)).toMatchObject({ upserted: 'created' });
    expect(await act('create_or_update_client', { ...as, note: 'New' })).toMatchObject({
      upserted: 'updated',
    });
  });

  test('create or update never makes a double, however many run at once', async () => {
    const runs = await Promise.all(
      Array.from({ length: 8 }, (_, index) =>
        act('create_or_update_company', { match_by: 'name', name: 'At once', phone: `+421 ${index}` }),
      ),
    );
    expect(new Set(idsOf(runs)).size).toBe(1);
    expect(runs.filter(({ upserted }) => upserted === 'created')).toHaveLength(1);
  });

  test('create or update that fits several records names them, and writes nothing', async () => {
    for (const city of ['Nitra', 'Martin']) await act('create_company', { name: 'Twins', city });
    const twins = act('create_or_update_company', { match_by: 'name', name: 'Twins', city: 'Zvolen' });
    expect(await messageOf(twins)).toMatch(/^Match By: Several Companies have this Name: Twins .* Twins /);
  });

  test('every lookup, by its name and by its ID', async () => {
    const { id: pipeline_id, stages } = await defaultPipeline(api);
    const [stage] = await find('find_stage', { name: 'won', pipeline_id });
    expect(stage).toMatchObject({ id: stages['Won'], pipeline: { id: pipeline_id } });
    const [projectStage] = await find('find_project_stage', { name: 'Then' });
    expect(projectStage).toMatchObject({ name: 'Then', project: { name: 'Web' } });
    const lists = {
      pipeline: '/pipelines',
      lead_origin: '/lead-origins',
      lost_reason: '/lost-reasons',
      tag: '/tags',
      custom_field: '/custom-fields',
      activity_type: '/activity-types',
      project: '/projects',
      booking_service: '/booking-services',
      booking_staff: '/booking-staff',
    };
    for (const [name, path] of Object.entries(lists)) {
      const [first] = [(await api.send<unknown>('GET', path)).data].flat().map((each) => Object(each));
      if (first === undefined) throw new Error(`There is nothing in ${path}.`);
      expect(idsOf(await find(`find_${name}`, { name: first.name })), name).toContain(first.id);
      expect(idsOf(await find(`find_${name}`, { id: first.id })), name).toEqual([first.id]);
    }
    expect(await find('find_product_category', { q: 'Nothing of that name' })).toEqual([]);
  });

  test('everything at once', async () => {
    const found = await find('search_everything', { q: 'Tatra' });
    expect(found.map(({ id }) => id)).toContain(company['id']);
    const leads = await find('search_everything', { q: 'Fleet', types: ['lead'] });
    expect(leads).toMatchObject([{ type: 'lead', title: 'Fleet' }]);
    expect(await find('search_everything', { q: 'Nobody at all' })).toEqual([]);
  });

  test('users', async () => {
    const [first] = [(await api.get('/users')).data].flat().map((user) => Object(user));
    expect(idsOf(await find('find_user', { email: first.email }))).toEqual([first.id]);
  });

  test('a call of the API that no action makes', async () => {
    const answered = await act('custom_api_call', {
      url: { url: '/leads' },
      method: 'GET',
      headers: {},
      queryParams: { limit: '1' },
    });
    expect(answered).toMatchObject({ status: 200, body: { data: [{}] } });
  });

  test('and none is left out', () => {
    expect(Object.keys(piece.actions()).filter((name) => !driven.has(name))).toEqual([]);
  });
});
