import { sharedDealkeep } from '@dealkeep/testing';
import {
  defaultPipeline,
  openBusiness,
  openShop,
  setPaymentStatus,
  stepOrder,
} from '@dealkeep/testing/business';
import { expect, test } from 'vitest';

const dealkeep = await sharedDealkeep();

test('an updated event carries the former values of the changed fields of data (rule events 29)', async () => {
  const { api, eventsDuring, organization } = await openBusiness(dealkeep);
  const { id } = (
    await api.post('/companies', { name: 'Acme', city: 'Nitra', owner_id: organization.ownerId })
  ).data;
  const before = (await api.get(`/companies/${id}`)).data;
  const [event] = await eventsDuring(() =>
    api.patch(`/companies/${id}`, { city: 'Žilina', note: 'New', owner_id: null }),
  );
  expect(event?.previous).toEqual({ address: before.address, note: null, owner: before.owner });
  expect(Object.keys(event?.previous ?? {})).toEqual(event?.changed_fields);
});

test('a lead that is moved tells where it was, also beside an update, and the record is as specified', async () => {
  const { api, eventsDuring } = await openBusiness(dealkeep);
  const { stages } = await defaultPipeline(api);
  const { id } = (await api.post('/leads', { name: 'Old' })).data;
  const before = (await api.get(`/leads/${id}`)).data;
  const moved = await eventsDuring(() => api.post(`/leads/${id}/move`, { stage_id: stages['Won'] }));
  const { stage, stage_entered_at, status } = before;
  expect(moved.map(({ type, previous }) => [type, previous])).toEqual([
    ['lead.stage_changed', { status, stage, stage_entered_at, won_at: null }],
    ['lead.won', undefined],
  ]);
  expect(JSON.parse(moved[0]?.dataText ?? '')).toEqual((await api.get(`/leads/${id}`)).data);
  const [updated, changed] = await eventsDuring(() =>
    api.patch(`/leads/${id}`, { name: 'New', stage_id: stages['Contacted'] }),
  );
  expect(updated?.previous).toMatchObject({ name: 'Old', status: 'won' });
  expect(changed?.previous).toEqual(updated?.previous);
});

test('every step of an order and of its payment tells what it was (rule events 29)', async () => {
  const shop = await openShop(dealkeep);
  const { uuid } = (await shop.order({ items: [{ sku: 'B-1', quantity: 1, unit_price: 5 }] })).data;
  const steps = await shop.eventsDuring(async () => {
    await stepOrder(dealkeep.core, shop.name, { uuid, status: 'confirmed' });
    await setPaymentStatus(dealkeep.core, shop.name, { uuid, payment_status: 'paid' });
    await stepOrder(dealkeep.core, shop.name, { uuid, status: 'shipped' });
  });
  expect(steps.map(({ type, previous }) => [type, previous])).toEqual([
    ['order.confirmed', { status: 'new', confirmed_at: null }],
    ['order.payment_paid', { payment_status: 'unpaid', paid_at: null }],
    ['order.paid', { payment_status: 'unpaid', paid_at: null }],
    ['order.shipped', { status: 'confirmed', shipped_at: null }],
  ]);
});

test('an order that is confirmed as it is made was new before', async () => {
  const shop = await openShop(dealkeep);
  const [, confirmed] = await shop.eventsDuring(() => shop.order({ auto_confirm: true }));
  expect(confirmed?.previous).toEqual({ status: 'new', confirmed_at: null });
});
