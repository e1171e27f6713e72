import { randomUUID } from 'node:crypto';
import { seedDemo } from '@dealkeep/core';
import { sharedDealkeep } from '@dealkeep/testing';
import { beforeAll, describe, expect, test } from 'vitest';
import { Definition, type Operation } from '../src/checks/definition.ts';
import { resultFindings } from '../src/checks/result-checks.ts';
import { keysOf } from './platform/keys-of.ts';
import { outputFieldsOf } from './platform/output-fields-of.ts';
import { act, ask, list, type Values } from './platform/setting.ts';
import { startPrivate } from './platform/start-in-process.ts';

const dealkeep = await sharedDealkeep();
const { newAccount } = await startPrivate(dealkeep);
const { setting, organization } = await newAccount();
const definition = Definition.parse(await setting.platform.definition());

beforeAll(() => seedDemo(dealkeep.core, organization.slug, 'small'));

const make = (path: string, body: Values) => ask(setting, 'POST', path, body);
async function some(path: string): Promise<Values> {
  const [record] = await ask<Values[]>(setting, 'GET', `${path}?limit=1`);
  if (!record) throw new Error(`${path} is empty.`);
  return record;
}
const company = () => make('/companies', { name: 'Žltý kôň' });
const lead = () => make('/leads', { name: 'Bikes' });
const activity = () => make('/activities', { name: 'Call', start_at: '2027-01-11T08:00:00Z' });
const task = () => make('/tasks', { title: 'Call' });
const booking = async (): Promise<Values> => ({
  service_id: (await some('/booking-services'))['id'],
  starts_at: '2027-01-11T08:00:00Z',
});
const booked = async () => make('/bookings', { ...(await booking()), customer: { name: 'Eva' } });
const of = async (record: Promise<Values>, more: Values = {}) => ({ id: (await record)['id'], ...more });

/** For each action what a person would fill in. */
const actions: Record<string, () => Promise<Values>> = {
  create_lead: async () => ({ company__name: 'Tatra', contact__name: 'Eva' }),
  update_lead: () => of(lead(), { note: 'x' }),
  move_lead: async () => {
    const { id, stages } = Object(await some('/pipelines'));
    return of(make('/leads', { name: 'Bikes', pipeline_id: id }), { stage_id: stages[1].id });
  },
  archive_lead: () => of(lead()),
  create_company: async () => ({ name: 'Orava', city: 'Námestovo' }),
  update_company: () => of(company(), { note: 'x' }),
  create_or_update_company: async () => ({ match_by: 'name', name: 'Orava', city: 'Námestovo' }),
  create_contact: async () => ({ company_id: (await company())['id'], name: 'Ján' }),
  update_contact: async () =>
    of(make('/contacts', { company_id: (await company())['id'], name: 'Ján' }), { position: 'Buyer' }),
  create_or_update_contact: async () => ({
    match_by: 'email',
    email: 'jan@orava.example',
    name: 'Ján',
    company_id: (await company())['id'],
  }),
  create_client: async () => ({ company_id: (await company())['id'] }),
  update_client: async () => of(make('/clients', { company_id: (await company())['id'] }), { note: 'x' }),
  create_or_update_client: async () => ({ match_by: 'company_id', company_id: (await company())['id'] }),
  create_activity: async () => ({ name: 'Call', start_at: '2027-01-11T08:00:00Z' }),
  update_activity: () => of(activity(), { note: 'x' }),
  complete_activity: () => of(activity()),
  create_task: async () => ({ title: 'Call' }),
  update_task: () => of(task(), { description: 'x' }),
  complete_task: () => of(task()),
  reopen_task: () => of(task()),
  create_invoice: async () => ({ items: [{ items__name: 'Bike', items__unit_price: 450 }] }),
  create_booking: async () => ({ ...(await booking()), customer__name: 'Eva' }),
  cancel_booking: () => of(booked()),
  create_order: async () => ({ items: [{ items__sku: 'X', items__quantity: 1, items__unit_price: 5 }] }),
};

/** For each search a filter that the demo has records for. */
const searches: Record<string, Values> = {
  find_lead: { search_status: 'open' },
  find_company: { search_country_code: 'SK' },
  find_contact: { search_is_primary: true },
  find_client: { search_q: 'a' },
  find_activity: { search_status: 'open' },
  find_task: { search_completed: false },
  find_invoice: { search_status: 'issued' },
  find_booking: { search_status: 'confirmed' },
  find_order: { search_payment_status: 'paid' },
  find_product: { search_active: true },
  find_user: { search_q: 'a' },
  find_pipeline: { search_q: 'a' },
  find_stage: { search_q: 'w' },
  find_lead_origin: { search_q: 'e' },
  find_lost_reason: { search_q: 'e' },
  find_tag: { search_q: 'a' },
  find_custom_field: { search_q: 'e' },
  find_activity_type: { search_q: 'e' },
  find_project: { search_q: 'e' },
  find_project_stage: { search_q: 'o' },
  find_booking_service: { search_q: 'e' },
  find_booking_staff: { search_q: 'a' },
  find_product_category: { search_q: 'e' },
};

/** A step's real output has the keys of its sample and the types of its output fields. */
async function expectShape(where: string, operation: Operation | undefined, live: Values): Promise<void> {
  if (!operation) throw new Error(`There is no ${where}.`);
  const outputFields = await outputFieldsOf(setting.platform, setting.connection, where);
  expect(resultFindings(operation, { live, listed: [], outputFields })).toEqual([]);
  expect(keysOf(live)).toEqual(keysOf(operation.operation.sample));
}

describe('an action gives on what its sample and its output fields show', () => {
  test('each has its case', () => {
    expect(Object.keys(actions).toSorted()).toEqual(Object.keys(definition.creates).toSorted());
  });

  test.each(Object.keys(actions))('%s', async (step) => {
    const done = await act(setting, step, (await actions[step]?.()) ?? {});
    await expectShape(`creates.${step}`, definition.creates[step], done);
  });
});

describe('a search gives on what its sample and its output fields show', () => {
  test('each has its case', () => {
    const all = [...Object.keys(searches), 'search_everything'];
    expect(all.toSorted()).toEqual(Object.keys(definition.searches).toSorted());
  });

  test.each(Object.entries(searches))('%s, also by its ID, and nothing by another', async (step, input) => {
    const [found] = await list(setting, `searches.${step}`, input);
    if (!found) throw new Error(`${step} found nothing.`);
    await expectShape(`searches.${step}`, definition.searches[step], found);
    expect(await list(setting, `searches.${step}`, { search_id: found['id'] })).toEqual([found]);
    expect(await list(setting, `searches.${step}`, { search_id: randomUUID() })).toEqual([]);
  });

  test('search_everything', async () => {
    const [found] = await list(setting, 'searches.search_everything', { search_q: 'a' });
    if (!found) throw new Error('It found nothing.');
    await expectShape('searches.search_everything', definition.searches['search_everything'], found);
  });
});
