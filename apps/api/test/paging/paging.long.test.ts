import { type Query, sharedDealkeep } from '@dealkeep/testing';
import { expect, test } from 'vitest';
import { openKnownBusiness } from '../known-records.ts';
import { addressOf, everyList, listsOfRecords } from './every-list.ts';
import { walkList } from './walk-list.ts';

const dealkeep = await sharedDealkeep();

// The demo data gives many records one moment, so that every sort has ties.
const demo = await openKnownBusiness(dealkeep);
const cases = everyList
  .filter(({ endless }) => !endless)
  .flatMap(({ path, sorts }) =>
    (sorts.length > 0 ? sorts : ['its own order']).map((sort) => [path, sort] as const),
  );
test.each(cases)(
  '%s by %s holds what one page holds, each record once, in the same order',
  async (path, sort) => {
    const address = await addressOf(dealkeep, demo, path);
    const sorted = sort === 'its own order' ? {} : { sort };
    const whole = await walkList(demo.api, address, { ...sorted, limit: 100 });
    const stepped = await walkList(demo.api, address, { ...sorted, limit: Math.ceil(whole.length / 4) });
    expect(stepped).toEqual(whole);
    expect(whole.length).toBeGreaterThan(0);
    expect(new Set(stepped.map(({ id, uuid }) => id ?? uuid)).size).toBe(whole.length);
  },
);

test('created_after and updated_since are strict and inclusive, on every list', async () => {
  const { api, organization } = await openKnownBusiness(dealkeep);
  const { sql } = dealkeep;
  const at = '2026-05-05T10:00:00.120Z';
  const tables: Record<string, string> = { '/users': 'memberships', '/products/categories': 'products' };
  for (const { path } of listsOfRecords) {
    const table = tables[path] ?? path.slice(1).replaceAll('-', '_');
    await sql`
      update ${sql(table)} set created_at = ${at}, updated_at = ${at} where organization_id = ${organization.id}`;
  }
  for (const { path } of listsOfRecords) {
    const count = async (query: Query) => (await walkList(api, path, query)).length;
    expect([path, await count({ created_after: '2026-05-05T10:00:00.119Z' })]).not.toEqual([path, 0]);
    expect([path, await count({ created_after: at })]).toEqual([path, 0]);
    expect([path, await count({ updated_since: at })]).not.toEqual([path, 0]);
    expect([path, await count({ updated_since: '2026-05-05T10:00:00.121Z' })]).toEqual([path, 0]);
  }
});
