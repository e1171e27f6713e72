import type { Database } from '@dealkeep/core/foundations';
import { Browser, heldMemory, sharedDealkeep } from '@dealkeep/testing';
import { beforeAll, describe, expect, test } from 'vitest';
import { createConsole } from '../src/index.ts';
import { signedInOwner } from './signed-in-owner.ts';

const dealkeep = await sharedDealkeep();

test.each([
  'companies',
  'contacts',
  'clients',
  'leads',
  'activities',
  'tasks',
  'invoices',
  'quotes',
  'bookings',
  'orders',
  'products',
])('%s have columns with names of their own', async (list) => {
  const { browser } = await signedInOwner(dealkeep);
  const { html } = await browser.get(`/${list}/export.csv`);
  const names = html.replace('\ufeff', '').split('\r\n')[0]?.split(',') ?? [];
  expect(names.length).toBeGreaterThan(8);
  expect(new Set(names).size).toBe(names.length);
  expect(names.filter((name) => /UUID|_/.test(name))).toEqual([]);
});

describe('30,000 rows', () => {
  const rows = 30_000;
  let large: Awaited<ReturnType<typeof dealkeep.createOrganization>>;
  let cookie = '';

  beforeAll(async () => {
    large = await dealkeep.createOrganization();
    await dealkeep.sql`
      insert into companies (organization_id, id, name, note, created_at, updated_at)
      select ${large.id}, gen_random_uuid(), 'Company ' || n, repeat('x', 300), now() - n * interval '1 second', now()
      from generate_series(1, ${rows}::integer) n`;
    // As PostgreSQL does by itself after a while.
    await dealkeep.sql`analyze companies`;
    const owner = new Browser(dealkeep);
    await owner.signIn(large);
    cookie = [...owner.cookies].map(([name, value]) => `${name}=${value}`).join('; ');
  });

  /** The console with the connections for slow work counted: what was asked on them. */
  function counted(): { fetch(): Promise<Response>; asked(): number } {
    let asked = 0;
    const slowSql: Database = new Proxy(dealkeep.core.slowSql, {
      apply(target, self, parts) {
        if (String(parts[0]).includes('listed.packed')) asked += 1;
        return Reflect.apply(target, self, parts);
      },
    });
    const app = createConsole({ core: { ...dealkeep.core, slowSql } });
    const request = (): Request =>
      new Request(`${dealkeep.origin}/companies/export.csv`, { headers: { Cookie: cookie } });
    return { fetch: async () => app.fetch(request()), asked: () => asked };
  }

  test('are read page by page as they are taken, and no further when nobody takes them', async () => {
    const { fetch: visit, asked } = counted();
    const response = await visit();
    expect(asked()).toBe(1);
    const reader = response.body?.getReader();
    await reader?.read();
    expect(asked()).toBe(1);
    await reader?.read();
    await reader?.read();
    expect(asked()).toBe(3);
    await reader?.cancel();
    expect(asked()).toBe(3);
  });

  test('take no more memory than the first of them', async () => {
    const response = await fetch(`${dealkeep.origin}/companies/export.csv`, { headers: { Cookie: cookie } });
    let lines = 0;
    let bytes = 0;
    let looked = 0;
    const heaps: number[] = [];
    for await (const chunk of response.body ?? []) {
      bytes += chunk.length;
      for (const byte of chunk) if (byte === 10) lines += 1;
      if (bytes < looked) continue;
      looked += 2_000_000;
      heaps.push(heldMemory());
    }
    expect(lines).toBe(rows + 1);
    expect(bytes).toBeGreaterThan(12_000_000);
    const [first = 0] = heaps;
    expect(heaps.length).toBeGreaterThan(4);
    expect(Math.max(...heaps) - first).toBeLessThan(5_000_000);
  });

  test('end where whoever takes them is no longer permitted to', async () => {
    const response = await counted().fetch();
    const reader = response.body?.getReader();
    await reader?.read();
    await dealkeep.sql`update memberships set active = false where organization_id = ${large.id}`;
    await expect(reader?.read()).rejects.toThrow('role');
  });
});
