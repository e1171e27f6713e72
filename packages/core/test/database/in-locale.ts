import { createUser, signIn } from '@dealkeep/core/accounts';
import { migrate } from '@dealkeep/core/foundations';
import {
  ownerPassword,
  ownerPasswordHash,
  startDealkeep,
  type TestDatabase,
  testDatabase,
} from '@dealkeep/testing';
import { openSalon } from '@dealkeep/testing/business';
import { expect } from 'vitest';

/** Locales of databases, as `create database` takes them. */
export const locales = {
  'C, as CloudNativePG makes it': `locale_provider libc locale 'C'`,
  'C.UTF-8 of the system': `locale_provider libc locale 'C.UTF-8'`,
  'C.UTF-8 of PostgreSQL': `locale_provider builtin builtin_locale 'C.UTF-8' locale 'C'`,
  'the root of ICU': `locale_provider icu icu_locale 'und' locale 'C'`,
  'Turkish of ICU': `locale_provider icu icu_locale 'tr-TR' locale 'C'`,
};

/** A migrated database of a locale. */
export async function databaseIn(locale: string): Promise<TestDatabase> {
  const database = await testDatabase({ migrated: false, locale });
  await migrate(database.ownerUrl);
  return database;
}

/** Goes through what compares texts: in every locale the same people and companies are one. */
export async function expectOneIdentity({ ownerUrl, sql }: TestDatabase): Promise<void> {
  const dealkeep = await startDealkeep({ databaseUrl: ownerUrl, worker: false });
  const { core } = dealkeep;
  const { api, organization, service, staff } = await openSalon(dealkeep);
  const { slug, id } = organization;
  const status = async (path: string, body: object): Promise<number> => (await api.post(path, body)).status;

  // Companies, by upserts and within leads.
  const capital = 'ŽLTÝ KÔŇ İLGİ';
  const other = 'žltý\u00a0 kôň ilgı'.normalize('NFD');
  expect(await status('/companies/upsert', { match_by: 'name', name: capital })).toBe(201);
  expect(await status('/companies/upsert', { match_by: 'name', name: other })).toBe(200);
  const lead = {
    name: 'Deal',
    company: { name: other },
    contact: { name: 'IĽJA', email: 'INFO@Iris.example' },
  };
  const one = (await api.post('/leads', lead)).data;
  const two = (await api.post('/leads', { ...lead, contact: { name: 'iľja'.normalize('NFD') } })).data;
  expect(two).toMatchObject({ company: { id: one.company?.id }, contact: { id: one.contact?.id } });
  expect((await api.get('/companies')).page.data).toHaveLength(1);
  expect((await api.get('/contacts', { email: 'info@iris.example' })).page.data).toHaveLength(1);

  // Tags.
  await sql`update organizations set makes_tags = true, directory_version = directory_version + 1 where id = ${id}`;
  const company = `/companies/${one.company?.id}`;
  expect((await api.patch(company, { tags: ['VIP Íris'] })).text).toContain('VIP Íris');
  expect((await api.patch(company, { add_tags: ['vip\u00a0íris'.normalize('NFD')] })).status).toBe(200);
  expect(await sql`select from tags where organization_id = ${id}`).toHaveLength(1);

  // A booking finds the client by the address of a contact, and so does whoever erases them.
  const client = await api.post('/clients', { company_id: one.company?.id });
  const booking = await api.post('/bookings', {
    service_id: service,
    staff_id: staff,
    starts_at: '2026-10-06T11:00:00+02:00',
    customer: { name: 'Ilja', email: 'info@IRIS.example' },
  });
  expect(booking.data.client?.id).toBe(client.data.id);
  const ordered = {
    customer: { name: 'Ilja', email: 'iNFO@iris.example' },
    items: [{ sku: 'X', quantity: 1, unit_price: 10 }],
  };
  expect(await status('/orders', ordered)).toBe(201);
  await api.send('POST', `/contacts/${one.contact?.id}/erase`);
  expect(await sql`select from orders where customer_email is not null`).toHaveLength(0);

  // People.
  const made = await createUser(core, {
    organization: slug,
    name: 'Ina',
    role: 'owner',
    email: `INFO@${slug}.EXAMPLE`,
  });
  await sql`update users set password_hash = ${ownerPasswordHash} where id = ${made.id}`;
  await signIn(core, { email: `info@${slug}.example`, password: ownerPassword });
  await expect(
    createUser(core, { organization: slug, name: 'Ina', role: 'owner', email: `info@${slug}.example` }),
  ).rejects.toMatchObject({ fields: [{ path: 'email', key: 'field.email_taken' }] });
}
