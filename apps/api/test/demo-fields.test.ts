import { fieldsOf, type OperationDeclaration, operations } from '@dealkeep/contract';
import { seedDemo } from '@dealkeep/core/installation';
import { sharedDealkeep } from '@dealkeep/testing';
import { openBusiness } from '@dealkeep/testing/business';
import { expect, test } from 'vitest';

const dealkeep = await sharedDealkeep();
const { api, organization } = await openBusiness(dealkeep);
const made = await seedDemo(dealkeep.core, organization.slug, 'small');

/**
 * The fields of each kind of records that no demo record has, because it would have to be put away, or nothing sets
 * them.
 */
const empty: Readonly<Record<string, readonly string[]>> = {
  companies: [],
  contacts: [],
  clients: [],
  leads: ['archived_at', 'deduplicated'],
  activities: [],
  tasks: ['archived_at'],
  invoices: [],
  bookings: ['lead'],
  orders: ['invoice_uuid'],
  products: ['stock_on_hand', 'stock_available'],
};

const says = (value: unknown): boolean =>
  value !== undefined && value !== null && value !== '' && JSON.stringify(value) !== '[]';

test.each(Object.entries(empty))(
  'the demo shows every field of %s (rule operator 30)',
  async (kind, expected) => {
    const declarations = Object.values<OperationDeclaration>(operations);
    const { answer } = declarations.find(({ id }) => id === `${kind}.list`) ?? {};
    const records: object[] = await api.walk(`/${kind}`);
    const unsaid = fieldsOf(answer ?? expect.fail(kind))
      .map(({ name }) => name)
      .filter((name) => !records.some((record) => says(Reflect.get(record, name))));
    expect(unsaid).toEqual(expected);
  },
);

test('a field that the seed does not name has what the contract gives as its example, in some records', async () => {
  const { description } =
    fieldsOf(operations['contacts.get'].answer).find(({ name }) => name === 'note') ?? {};
  const notes = (await api.walk('/contacts')).map(({ note }) => note);
  expect(new Set(notes)).toEqual(new Set([null, description?.example]));
});

test('a demo has 24 companies and 40 leads, and tells no event of them (rule operator 30)', async () => {
  expect(made).toMatchObject({ companies: 24, leads: 40 });
  expect([(await api.walk('/companies')).length, (await api.walk('/leads')).length]).toEqual([24, 40]);
  expect(await dealkeep.sql`select from events where organization_id = ${organization.id}`).toEqual([]);
});
