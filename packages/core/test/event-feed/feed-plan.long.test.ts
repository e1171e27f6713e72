import { eventTypes } from '@dealkeep/contract';
import { oneServer } from '@dealkeep/core/foundations';
import { startDealkeep } from '@dealkeep/testing';
import { expect, test } from 'vitest';
import { beginning } from '../../src/change/events/feed-place.ts';
import { readFeed } from '../../src/change/events/read-feed.ts';

test('a page of the feed reads its own events, not all that are behind its place', async () => {
  const { sql, createOrganization } = await startDealkeep({ worker: false });
  const organizations = await Promise.all(Array.from({ length: 8 }, () => createOrganization()));
  // One organization's after the other's, as they happen.
  await sql`
    insert into events (organization_id, id, type, record_id, occurred_at, envelope)
    select organization, 'evt_' || number, 'lead.created', gen_random_uuid(), now(), repeat('x', 1000)
    from generate_series(1001, 1700) number, unnest(${organizations.map(({ id }) => id)}::uuid[]) organization`;
  await sql`vacuum analyze events`;
  const [{ id: organization } = { id: '' }] = organizations;
  const limit = 100;
  const asked = { organization, types: eventTypes, recordId: undefined, createdAfter: undefined, limit };
  // So many that PostgreSQL goes over to the plan that it keeps.
  const pages = 10;
  const read = await sql.begin(async (tx) => {
    for (let page = 1; page <= pages; page += 1)
      await readFeed({ sql: tx, placement: oneServer }, asked, { place: beginning });
    const [row] = await tx<{ rows: number }[]>`
      select idx_tup_fetch as rows from pg_stat_xact_user_tables where relname = 'events'`;
    return row?.rows;
  });
  expect(read).toBeGreaterThan(pages * limit);
  expect(read).toBeLessThan(pages * (limit + 10));
});
