import { currencyCodes, fieldsOf, lookupSettings, operations, UpdateOrganization } from '@dealkeep/contract';
import { createOrganization, getOrganization, updateOrganization } from '@dealkeep/core/accounts';
import { inConsole, sharedDealkeep } from '@dealkeep/testing';
import { openBusiness } from '@dealkeep/testing/business';
import { describe, expect, test } from 'vitest';

// Rule bodies 24: a currency is one of ISO 4217 wherever it is taken, as a country is one of ISO 3166-1.

const dealkeep = await sharedDealkeep();
const items = [{ name: 'Bike', quantity: 1, unit_price: 10 }];
const orderItems = [{ sku: 'X', quantity: 1, unit_price: 10 }];

/** Well-formed, and no currency: never one, withdrawn, of the wrong length. */
const unknown = ['ABC', 'HRK', 'DEM', 'EURO', 'E', ''];

describe('a currency that ISO 4217 does not have is refused', () => {
  test.each(unknown)(
    '%j by invoices, orders, quotes, services and organizations (rule bodies 24)',
    async (currency) => {
      const { api, organization } = await openBusiness(dealkeep);
      const { core } = dealkeep;
      const wrong = { currency: 'invalid_currency' };
      expect((await api.post('/invoices', { items, currency })).fields).toEqual(wrong);
      expect((await api.post('/orders', { customer: {}, items: orderItems, currency })).fields).toEqual(
        wrong,
      );
      const problem = { fields: [{ path: 'currency', key: 'field.invalid_currency' }] };
      // As the console hands over what a form has brought: nothing has looked at it.
      const attempt: { currency: 'EUR' } = JSON.parse(JSON.stringify({ currency }));
      const refused = [
        () => inConsole(core, organization, 'quotes.create', { items, ...attempt }),
        () => inConsole(core, organization, 'organizations.update', attempt),
        () =>
          inConsole(core, organization, 'booking-services.add', {
            name: 'Fitting',
            duration_minutes: 30,
            ...attempt,
          }),
      ];
      for (const ask of refused) await expect(ask()).rejects.toMatchObject(problem);
      const message = `currency takes a three-letter code (ISO 4217) such as EUR, not "${currency}"`;
      await expect(createOrganization(core, { name: 'N', slug: 'never-made', currency })).rejects.toThrow(
        message,
      );
      await expect(updateOrganization(dealkeep.sql, organization.slug, { currency })).rejects.toThrow(
        message,
      );
    },
  );
});

test('every active currency is taken, by orders in either case', async () => {
  const { api, organization } = await openBusiness(dealkeep);
  for (const currency of ['CZK', 'USD', 'JPY', 'KWD', 'ZWG', 'XCG']) {
    expect((await api.post('/invoices', { items, currency })).data.currency).toBe(currency);
    const order = { customer: {}, items: orderItems, currency: currency.toLowerCase() };
    expect((await api.post('/orders', order)).data.currency).toBe(currency);
    await inConsole(dealkeep.core, organization, 'organizations.update', { currency });
    expect((await getOrganization(dealkeep.core, organization)).currency).toBe(currency);
  }
});

test('the choices of every form are that one list', () => {
  const forms = [
    operations['invoices.create'].body,
    operations['orders.create'].body,
    lookupSettings['booking-service'].schema,
    UpdateOrganization,
  ];
  for (const form of forms) {
    const currency = fieldsOf(form).find(({ name }) => name === 'currency');
    expect(currency?.values).toEqual(currencyCodes);
  }
});

test('a record keeps the currency that it has, though it was withdrawn meanwhile (rule bodies 24)', async () => {
  const { api, organization } = await openBusiness(dealkeep);
  const { id } = (await api.post('/invoices', { items })).data;
  await dealkeep.sql`
    update invoices set currency = 'HRK' where organization_id = ${organization.id} and id = ${id}`;
  // The client of the tests checks each answer by the contract.
  expect((await api.get(`/invoices/${id}`)).data.currency).toBe('HRK');
});
