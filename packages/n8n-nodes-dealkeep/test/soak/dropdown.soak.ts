import { loadavg } from 'node:os';
import { startDealkeep } from '@dealkeep/testing';
import { expect, test } from 'vitest';
import { N8nDriver } from '../real/n8n-driver.ts';

const [companies, searches, limit] = [10_000, 41, 300];

test('a dropdown of 10,000 companies answers a search within 300 ms', async () => {
  const n8n = new N8nDriver();
  const dealkeep = await startDealkeep({ worker: false });
  const { id, key } = await dealkeep.createOrganization();
  await dealkeep.sql`
    insert into companies (organization_id, id, name, created_at, updated_at)
    select ${id}, gen_random_uuid(), 'Company ' || lpad(number::text, 5, '0'), now(), now()
    from generate_series(1, ${companies}) as number`;
  await dealkeep.sql`analyze companies`;
  const credential = await n8n.createCredential(dealkeep.baseUrl, key);
  const times: number[] = [];
  for (let search = 0; search < searches; search++) {
    const wanted = `Company ${String((search * 997) % companies).padStart(5, '0')}`;
    const started = performance.now();
    const { results } = await n8n.searchList({
      method: 'searchCompany',
      credential,
      filter: wanted.slice(-5),
    });
    times.push(performance.now() - started);
    if (wanted !== 'Company 00000') expect(results.map(({ name }) => name)).toContain(wanted);
  }
  times.sort((one, other) => one - other);
  const [median = 0, slowest = 0] = [times[Math.floor(searches / 2)], times.at(-1)];
  console.log(
    `A search among ${companies} companies: median ${Math.round(median)} ms, slowest ${Math.round(slowest)} ms, ` +
      `at a load of ${loadavg()[0]?.toFixed(1)}`,
  );
  expect(median).toBeLessThanOrEqual(limit);
});
