import { inConsole, sharedDealkeep } from '@dealkeep/testing';
import { unseenRecords } from '@dealkeep/testing/business';
import { expect, test } from 'vitest';
import { refusalOf, walkBodies, walkFilters, walkShown } from './references-walk.ts';

const dealkeep = await sharedDealkeep();
const { core } = dealkeep;
const shared = unseenRecords(dealkeep);

test('a record that a person may not see is not found in any field of any operation (rule scopes 13)', async () => {
  const walked = await walkBodies(core, await shared);
  expect(new Set(walked)).toEqual(new Set(['company', 'contact', 'client', 'lead']));
  expect(walked.length).toBeGreaterThan(20);
});

test('every list that is filtered by such a record is empty (rule scopes 13)', async () => {
  await walkFilters(core, await shared);
});

test('no record, list or timeline of any kind shows what a person may not see (rule scopes 13)', async () => {
  const records = await shared;
  const kinds = Object.keys(records.own).filter((kind) => kind !== 'contact');
  expect(await walkShown(core, records)).toEqual(new Set(kinds));
});

test('a product that a person may not see is found neither by its id nor by its SKU (rule scopes 13)', async () => {
  const records = await shared;
  const { 'orders.view': _, ...permissions } = Object(records.session.user.permissions);
  const session = { ...records.session, user: { ...records.session.user, permissions } };
  const product = await inConsole(core, records.organization, 'products.create', {
    name: 'Veiled product',
    sku: 'VEILED',
    price: 12345,
  });
  const create = (item: object) =>
    refusalOf(core, session, 'orders.create', {
      body: { customer: { name: 'Plain' }, items: [{ quantity: 1, ...item }] },
    });
  expect(await create({ sku: 'VEILED' })).toEqual(await create({ sku: 'VEILES' }));
  expect((await create({ product_uuid: product.uuid }))?.fields).toEqual([
    { path: 'items[0].product_uuid', key: 'field.not_found' },
  ]);
});
