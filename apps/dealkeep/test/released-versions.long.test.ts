import { join } from 'node:path';
import { operations } from '@dealkeep/contract';
import { createApiKey } from '@dealkeep/core/accounts';
import { connect, systemClock } from '@dealkeep/core/foundations';
import { ApiClient, testDatabase } from '@dealkeep/testing';
import { describe, expect, test } from 'vitest';
import { dealkeep, result, startReadyHere } from './program.ts';
import { newestOlder, readCheckout, releasedBackups, releasedFolder } from './released.ts';

const files = await releasedBackups();
/** Of every backup here, which hold nothing but the demo. */
const SECRETS_KEY = Buffer.alloc(32, 1).toString('base64');

test('there is a backup of each released version, and of what ran before the first', async () => {
  const { released } = await readCheckout();
  expect(files).toEqual(expect.arrayContaining(released.map((version) => `${version}.backup`)));
  expect(files).toContain('before-0.1.0.backup');
});

test('a version runs beside the newest that is older: what ran before a release is, its own not before more came', () => {
  const files = ['0.10.0.backup', '0.1.0.backup', 'before-0.1.0.backup', '0.9.0.backup'];
  expect(newestOlder(files, { version: '0.10.0', goesOn: true })).toBe('0.10.0');
  expect(newestOlder(files, { version: '0.10.0', goesOn: false })).toBe('0.9.0');
  expect(newestOlder(files.slice(1, 3), { version: '0.1.0', goesOn: false })).toBe('before-0.1.0');
  expect(() => newestOlder(['newest.backup'], { version: '0.1.0', goesOn: true })).toThrow('newest.backup');
});

describe.each(files)('a database of %s', (name) => {
  test('is brought to this version with everything in it, is read and written, and sends what waited when it may', async () => {
    const { ownerUrl } = await testDatabase({ migrated: false });
    const variables = { DATABASE_URL: ownerUrl, SECRETS_KEY };
    const file = join(releasedFolder, name);
    const restored = await result<{ version: string; rows: Record<string, number> }>(
      ['restore', file, '--keys', 'keep', '--webhooks', 'keep'],
      variables,
    );
    if (!name.startsWith('before-')) expect(`${restored.version}.backup`).toBe(name);
    expect(await result(['migrate', '--status'], variables)).toMatchObject({ pending: [], unknown: [] });

    const sql = connect(ownerUrl, { connections: 1, name: 'test' });
    const operator = { sql, clock: systemClock, environment: 'live' as const };
    const grant = { preset: 'automation' } as const;
    const { token } = await createApiKey(operator, { organization: 'demo', name: 'Now', grant });
    const running = await startReadyHere({ ...variables, WEBHOOK_ALLOWED_TARGETS: '127.0.0.1' });
    const api = new ApiClient(await running.says(/"api":"([^"]+)"/m), { Authorization: `Bearer ${token}` });
    const paged = Object.values(operations).filter(
      (operation) => operation.shape === 'list' && 'query' in operation && 'limit' in operation.query.shape,
    );
    // REST hooks are listed to the key that made them alone.
    const kinds = paged
      .map(({ path }) => path.slice(1))
      .filter((kind) => kind !== 'webhooks' && restored.rows[kind] !== undefined);
    expect(kinds).toEqual(expect.arrayContaining(['companies', 'leads', 'invoices', 'bookings', 'orders']));
    for (const kind of kinds) {
      const { data } = (await api.get(`/${kind}`, { limit: 100 })).page;
      expect([kind, data.length]).toEqual([kind, Math.min(restored.rows[kind] ?? 0, 100)]);
    }
    expect((await api.post('/leads', { name: 'After', company: { name: 'Kept company' } })).outcome).toBe(
      '201',
    );
    const waiting = await sql<{ isDue: boolean }[]>`select due_at <= now() as "isDue" from deliveries`;
    expect(waiting).toHaveLength((restored.rows['deliveries'] ?? 0) + 1);
    // Of a backup that was just made, some may have failed and wait for their next attempt.
    const tried = (restored.rows['attempts'] ?? 0) + waiting.filter(({ isDue }) => isDue).length;
    expect(tried).toBeGreaterThan(0);
    expect((await dealkeep(['queue', 'resume', '--all'], variables)).code).toBe(0);
    await expect.poll(async () => (await sql`select from attempts`).length).toBeGreaterThanOrEqual(tried);
    await sql.end();
  });
});
