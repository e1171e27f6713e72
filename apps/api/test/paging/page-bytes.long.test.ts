import { limits } from '@dealkeep/contract';
import { sharedDealkeep } from '@dealkeep/testing';
import { describe, expect, test } from 'vitest';

const dealkeep = await sharedDealkeep();

interface ListPage {
  data: { id?: string; uuid?: string }[];
  next_cursor: string | null;
  has_more: boolean;
}

/** Walks a list by its largest pages; each page with its size. */
async function pagesOf(key: string, path: string): Promise<(ListPage & { bytes: number })[]> {
  const pages: (ListPage & { bytes: number })[] = [];
  let cursor: string | null = '';
  while (cursor !== null) {
    const query = new URLSearchParams({ limit: '100', ...(cursor === '' ? {} : { cursor }) });
    const init = { headers: { Authorization: `Bearer ${key}` } };
    const text = await (await fetch(`${dealkeep.baseUrl}${path}?${query}`, init)).text();
    const page: ListPage = JSON.parse(text);
    pages.push({ ...page, bytes: Buffer.byteLength(text) });
    cursor = page.next_cursor;
  }
  return pages;
}

const text = (sign: string): string =>
  sign.repeat(limits.textBytes / Buffer.byteLength(JSON.stringify(sign).slice(1, -1)));

describe('a page of large records is cut at 2 MiB, and the walk goes on behind it', () => {
  test.each([
    ['/companies', 24, { name: 'C', note: text('x'), street: text('ž'), city: text('"') }],
    ['/leads', 40, { name: 'L', note: text('\u0001') }],
    ['/activities', 40, { name: 'A', start_at: '2026-10-01T08:00:00Z', note: text('🚲') }],
    [
      '/orders',
      40,
      {
        customer: {},
        items: [{ sku: 'S', quantity: 1, unit_price: 1, notes: text('x') }],
        notes: text('ľ'),
      },
    ],
  ])('%s (rule lists 13)', async (path, count, body) => {
    const { id, key } = await dealkeep.createOrganization();
    await dealkeep.as(key).send('POST', path, { json: body });
    const table = path.slice(1);
    // Each as it was made, a second younger than the one before.
    const made = await dealkeep.sql<{ id: string }[]>`
      insert into ${dealkeep.sql(table)}
      select (jsonb_populate_record(made, jsonb_build_object(
        'id', gen_random_uuid(), 'created_at', made.created_at + n * interval '1 second')
        || case when ${table} = 'orders' then jsonb_build_object('internal_number', 'Copy ' || n) else '{}' end)).*
      from ${dealkeep.sql(table)} as made, generate_series(1, ${count - 1}::int) as n
      where made.organization_id = ${id} order by n
      returning id`;
    const pages = await pagesOf(key, path);
    expect(pages.length).toBeGreaterThan(1);
    for (const { bytes, data } of pages) {
      expect(bytes).toBeLessThan(limits.pageBytes + 1024);
      expect(data.length).toBeGreaterThan(0);
    }
    expect(pages.map(({ has_more }) => has_more)).toEqual(pages.map((_, index) => index < pages.length - 1));
    const listed = pages.flatMap(({ data }) => data.map((each) => each.id ?? each.uuid));
    expect(listed).toHaveLength(count);
    expect(listed.slice(0, -1)).toEqual(made.map((each) => each.id).toReversed());
  });

  test('a record that alone is larger, from before the bound, is a page of its own', async () => {
    const organization = await dealkeep.createOrganization();
    const api = dealkeep.as(organization.key);
    for (let index = 0; index < 3; index += 1) await api.post('/companies', { name: `C${index}` });
    await dealkeep.sql`
      update companies set note = repeat('x', ${limits.pageBytes + 1}) where organization_id = ${organization.id}`;
    const pages = await pagesOf(organization.key, '/companies');
    expect(pages.map(({ data, has_more }) => [data.length, has_more])).toEqual([
      [1, true],
      [1, true],
      [1, false],
    ]);
  });
});

describe('no envelope is larger than 256 KiB', () => {
  test('an order whose items take more is refused, and the field is named', async () => {
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

  test('a company shows as many contacts as leave it small enough, and the list of contacts has them all', async () => {
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
