import { readdir } from 'node:fs/promises';
import { join } from 'node:path';
import { operations } from '@dealkeep/contract';
import { connect, createApiKey, systemClock } from '@dealkeep/core';
import { ApiClient, testDatabase } from '@dealkeep/testing';
import { describe, expect, test } from 'vitest';
import { dealkeep, result, startReady } from './program.ts';

const folder = join(import.meta.dirname, 'released');
const files = await readdir(folder);
/** Of every backup here, which hold nothing but the demo. */
const SECRETS_KEY = Buffer.alloc(32, 1).toString('base64');

test('there is a backup of each released version, named by it', () => {
  expect(files).toContain('0.1.0.backup');
  expect(files.filter((name) => !/^\d+\.\d+\.\d+\.backup$/.test(name))).toEqual([]);
});

describe.each(files)('a database of %s', (name) => {
  test('is brought to this version with everything in it, is read and written, and sends what waited when it may', async () => {
    const { ownerUrl } = await testDatabase({ migrated: false });
    const variables = { DATABASE_URL: ownerUrl, SECRETS_KEY };
    const file = join(folder, name);
    const restored = await result<{ version: string; rows: Record<string, number> }>(
      ['restore', file, '--keys', 'keep', '--webhooks', 'keep'],
      variables,
    );
    expect(`${restored.version}.backup`).toBe(name);
    expect(await result(['migrate', '--status'], variables)).toMatchObject({ pending: [], unknown: [] });

    const sql = connect(ownerUrl, { connections: 1, name: 'test' });
    const operator = { sql, clock: systemClock, environment: 'live' as const };
    const grant = { preset: 'automation' } as const;
    const { token } = await createApiKey(operator, { organization: 'demo', name: 'Now', grant });
    const running = await startReady({ ...variables, WEBHOOK_ALLOWED_TARGETS: '127.0.0.1' });
    const api = new ApiClient(await running.says(/"api":"([^"]+)"/m), { Authorization: `Bearer ${token}` });
    // REST hooks, which have no pages, are listed to the key that made them alone.
    const paged = Object.values(operations).filter(
      (operation) => operation.shape === 'list' && 'query' in operation && 'limit' in operation.query.shape,
    );
    const kinds = paged.map(({ path }) => path.slice(1)).filter((kind) => restored.rows[kind] !== undefined);
    expect(kinds).toEqual(expect.arrayContaining(['companies', 'leads', 'invoices', 'bookings', 'orders']));
    for (const kind of kinds) {
      const { data } = (await api.get(`/${kind}`, { limit: 100 })).page;
      expect([kind, data.length]).toEqual([kind, Math.min(restored.rows[kind] ?? 0, 100)]);
    }
    expect((await api.post('/leads', { name: 'After', company: { name: 'Kept company' } })).outcome).toBe(
      '201',
    );
    const [waiting] = await sql<{ count: number }[]>`select count(*)::integer as count from deliveries`;
    expect(waiting?.count).toBe(4);
    expect((await dealkeep(['queue', 'resume', '--all'], variables)).code).toBe(0);
    await expect
      .poll(async () => (await sql`select from attempts where event_type = 'lead.created'`).length, {
        timeout: 30_000,
      })
      .toBeGreaterThan(3);
    await sql.end();
  });
});
