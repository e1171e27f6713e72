import { randomUUIDv7 } from 'node:crypto';
import { inConsole, type TestDealkeep } from '@dealkeep/testing';
import { addProject, type Business } from '@dealkeep/testing/business';

/** Makes a record of a list; those of different numbers have few different sort values, some of them null. */
export type MakeRecord = (number: number) => Promise<unknown>;

/** The table of a list and a way to fill it. */
export interface ListedRecords {
  table: string;
  make: MakeRecord;
}

const oneOf = <Value>(values: readonly Value[], number: number): Value => {
  const value = values[number % values.length];
  if (value === undefined) throw new Error('There is nothing to choose from');
  return value;
};
const names = ['Beta', 'alpha', 'Žaba', 'Beta', '', 'beta'];
const dates = ['2031-01-31', null, '2030-12-31', '2031-01-31', null];
const amounts = [10, 9.5, null, 100, 10, 0];

/** By the path of the list. */
export async function recordMakers(
  dealkeep: TestDealkeep,
  { api, organization }: Business,
): Promise<Record<string, ListedRecords>> {
  const { sql } = dealkeep;
  const company = (await api.post('/companies', { name: 'Beta' })).data.id;
  const named = (number: number) => oneOf(names, number) || 'Beta';
  const insert = async (table: string, columns: object): Promise<void> => {
    const now = new Date().toISOString();
    const row = { organization_id: organization.id, id: randomUUIDv7(), created_at: now, updated_at: now };
    await sql`insert into ${sql(table)} ${sql({ ...row, ...columns })}`;
    await sql`
      update organizations set directory_version = directory_version + 1 where id = ${organization.id}`;
  };
  const lookup = (table: string, columns: (number: number) => object = () => ({})): ListedRecords => ({
    table,
    make: (number) => insert(table, { name: named(number), ...columns(number) }),
  });
  /** Where names are unique. */
  const unlike = (number: number) => ({ name: `${named(number)} ${number}` });
  const made = (table: string, path: string, body: (number: number) => object): ListedRecords => ({
    table,
    make: async (number) => (await api.post(path, body(number))).data,
  });
  await insert('booking_services', { name: 'Beta', duration_minutes: 30, currency: 'EUR' });
  const [service] = (await api.get('/booking-services')).page.data;

  return {
    '/companies': made('companies', '/companies', (number) => ({ name: named(number) })),
    '/contacts': made('contacts', '/contacts', (number) => ({ name: named(number), company_id: company })),
    '/clients': {
      table: 'clients',
      make: async () => {
        const { id } = (await api.post('/companies', { name: 'Client' })).data;
        return (await api.post('/clients', { company_id: id })).data;
      },
    },
    '/leads': made('leads', '/leads', (number) => ({
      name: oneOf(names, number) || null,
      value: oneOf(amounts, number),
      expected_close_date: oneOf(dates, number),
    })),
    '/activities': made('activities', '/activities', (number) => ({
      name: 'Call',
      start_at: `203${number % 3}-01-01T00:00:00Z`,
    })),
    '/tasks': made('tasks', '/tasks', (number) => ({
      title: named(number),
      due_date: oneOf(dates, number),
    })),
    '/invoices': made('invoices', '/invoices', (number) => ({
      items: [{ name: 'Bike', unit_price: oneOf(amounts, number) ?? 5 }],
      issued_date: `2031-01-0${(number % 3) + 1}`,
      due_date: `2031-02-0${(number % 4) + 1}`,
    })),
    '/bookings': made('bookings', '/bookings', (number) => ({
      service_id: service?.id,
      starts_at: `203${number % 3}-01-01T00:00:00Z`,
      customer: { name: 'Eva' },
    })),
    '/orders': made('orders', '/orders', (number) => ({
      customer: {},
      items: [{ sku: 'X', quantity: 1, unit_price: oneOf(amounts, number) ?? 5 }],
    })),
    '/products': {
      table: 'products',
      make: (number) =>
        inConsole(dealkeep.core, organization, 'products.create', {
          sku: randomUUIDv7(),
          name: named(number),
          price: oneOf(amounts, number),
        }),
    },
    '/products/categories': {
      table: 'products',
      make: async (number) => {
        const { uuid } = await inConsole(dealkeep.core, organization, 'products.create', {
          sku: randomUUIDv7(),
          name: named(number),
        });
        // One product in each category, so that it has the moments and the name of its product.
        await sql`
          update products set category_id = id where organization_id = ${organization.id} and id = ${uuid}`;
      },
    },
    '/users': {
      table: 'memberships',
      make: async (number) => {
        const id = randomUUIDv7();
        const stamps = { created_at: new Date().toISOString(), updated_at: new Date().toISOString() };
        const person = { id, email: `${id}@people.example`, email_verified: true, password_hash: 'none' };
        await sql`insert into users ${sql({ ...person, ...stamps })}`;
        await insert('memberships', { person_id: id, name: named(number) });
      },
    },
    '/pipelines': lookup('pipelines'),
    '/lead-origins': lookup('lead_origins'),
    '/lost-reasons': lookup('lost_reasons'),
    '/activity-types': lookup('activity_types'),
    '/tags': lookup('tags', unlike),
    '/custom-fields': lookup('custom_fields', (number) => ({ ...unlike(number), type: 'text' })),
    '/projects': {
      table: 'projects',
      make: (number) => addProject({ dealkeep, organization }, named(number)),
    },
    '/booking-services': lookup('booking_services', () => ({ duration_minutes: 30, currency: 'EUR' })),
    '/booking-staff': lookup('booking_staff'),
  };
}
