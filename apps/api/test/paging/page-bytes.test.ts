import { limits } from '@dealkeep/contract';
import { sharedDealkeep } from '@dealkeep/testing';
import { describe, expect, test } from 'vitest';
import { pagesOf, largest as text } from './large-pages.ts';

const dealkeep = await sharedDealkeep();

test('a page ends at 2 MiB: a record that alone is larger, from before the bound, is a page of its own (rule lists 13)', async () => {
  const organization = await dealkeep.createOrganization();
  const api = dealkeep.as(organization.key);
  for (let index = 0; index < 2; index += 1) await api.post('/companies', { name: `C${index}` });
  await dealkeep.sql`
    update companies set note = repeat('x', ${limits.pageBytes + 1}) where organization_id = ${organization.id}`;
  const pages = await pagesOf(dealkeep, organization.key, '/companies');
  expect(pages.map(({ data, has_more }) => [data.length, has_more])).toEqual([
    [1, true],
    [1, false],
  ]);
});

describe('no envelope is larger than 256 KiB', () => {
  test('an order whose items take more is refused, and the field is named (rule bodies 11)', async () => {
    const api = dealkeep.as((await dealkeep.createOrganization()).key);
    const item = { sku: 'S', quantity: 1, unit_price: 1 };
    const many = Array.from({ length: 500 }, () => ({ ...item, notes: 'x'.repeat(1000) }));
    const all = await api.send('POST', '/orders', { json: { customer: {}, items: many } });
    expect([all.outcome, all.fields]).toEqual(['422 VALIDATION_ERROR', { items: 'makes_record_too_large' }]);
    const notes = text('x');
    const large = { customer: { name: notes, phone: notes, billing_address: notes }, items: [item], notes };
    expect((await api.send('POST', '/orders', { json: large })).outcome).toBe('422 VALIDATION_ERROR');
    expect((await api.send('POST', '/orders', { json: { ...large, notes: '' } })).outcome).toBe('201');
  });

  test('a company shows as many contacts as leave it small enough, and the list of contacts has them all (rule companies 4)', async () => {
    const organization = await dealkeep.createOrganization();
    const api = dealkeep.as(organization.key);
    const { id } = (await api.post('/companies', { name: 'C', note: text('x') })).data;
    for (let index = 0; index < 5; index += 1) {
      await api.post('/contacts', { company_id: id, name: `P${index}`, position: text('x') });
    }
    await api.send('PATCH', `/companies/${id}`, { json: { city: 'Košice' } });
    const { data, text: shown } = await api.get(`/companies/${id}`);
    expect(Buffer.byteLength(shown)).toBeLessThan(limits.envelopeBytes);
    expect(data.contacts.map(({ name }: { name: string }) => name)).toEqual(['P0', 'P1']);
    const [event] = (await dealkeep.eventsOf(organization, id)).slice(-1);
    expect(JSON.parse(JSON.stringify(event)).type).toBe('company.updated');
    const largest = await dealkeep.sql<{ bytes: number }[]>`
      select max(octet_length(envelope)) as bytes from events where organization_id = ${organization.id}`;
    expect(largest[0]?.bytes).toBeLessThanOrEqual(limits.envelopeBytes);
    expect((await api.get(`/contacts?company_id=${id}`)).data).toHaveLength(5);
  });
});
