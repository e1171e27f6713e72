import { actionKey, actions as declaredActions } from '@dealkeep/connectors';
import { operations } from '@dealkeep/contract';
import { sharedDealkeep } from '@dealkeep/testing';
import { plainRecord } from '@dealkeep/testing/business';
import { describe, expect, test } from 'vitest';
import { demoAccount } from './every-step.ts';
import { act, ask, type Values } from './platform/setting.ts';

const { setting, definition, expectShape } = await demoAccount(await sharedDealkeep());

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

/** What a person would fill in for an action of which nothing is said above, as the contract has it. */
async function plainInput(step: string): Promise<Values> {
  const declared = declaredActions.find((each) => actionKey(operations[each.operation]) === step);
  if (!declared) throw new Error(`There is no action ${step}`);
  const { kind, resource } = operations[declared.operation];
  const { create, body, changes } = plainRecord(resource);
  return kind === 'create' ? body : of(make(create.path, body), kind === 'update' ? changes : {});
}

describe('an action gives on what its sample and its output fields show (rule zapier 10)', () => {
  test('each of the 24 has its case', () => {
    expect(Object.keys(actions)).toHaveLength(24);
    expect(Object.keys(definition.creates)).toEqual(expect.arrayContaining(Object.keys(actions)));
  });

  test.each(Object.keys(definition.creates))('%s', async (step) => {
    const done = await act(setting, step, await (actions[step]?.() ?? plainInput(step)));
    await expectShape(`creates.${step}`, definition.creates[step], done);
  });
});
