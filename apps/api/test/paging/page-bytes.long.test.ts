import { limits } from '@dealkeep/contract';
import { sharedDealkeep } from '@dealkeep/testing';
import { expect, test } from 'vitest';
import { pagesOf, largest as text } from './large-pages.ts';

const dealkeep = await sharedDealkeep();

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
])(
  'a page of large records of %s is cut at 2 MiB, and the walk goes on behind it',
  async (path, count, body) => {
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
    const pages = await pagesOf(dealkeep, key, path);
    expect(pages.length).toBeGreaterThan(1);
    for (const { bytes, data } of pages) {
      expect(bytes).toBeLessThan(limits.pageBytes + 1024);
      expect(data.length).toBeGreaterThan(0);
    }
    expect(pages.map(({ has_more }) => has_more)).toEqual(pages.map((_, index) => index < pages.length - 1));
    const listed = pages.flatMap(({ data }) => data.map((each) => each.id ?? each.uuid));
    expect(listed).toHaveLength(count);
    expect(listed.slice(0, -1)).toEqual(made.map((each) => each.id).toReversed());
  },
);
