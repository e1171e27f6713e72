import { testDatabase } from '@dealkeep/testing';
import { expect, test } from 'vitest';
import { dealkeep, oneLine, startReadyHere } from './program.ts';

test('a start changes the tables of the operator’s own database only with MIGRATE=true (rule operator 23)', async () => {
  const { url, sql } = await testDatabase({ migrated: false });
  const variables = { DATABASE_URL: url, SECRETS_KEY: Buffer.alloc(32, 7).toString('base64') };
  const tables = () => sql`select table_schema, table_name from information_schema.tables order by 1, 2`;
  const before = await tables();
  for (const args of [['start'], ['organizations', 'list']]) {
    const refused = await dealkeep(args, { ...variables, MIGRATE: '', PORT: '0' });
    expect(refused.code, 'a service manager tries again: the migration may be under way').toBe(1);
    expect(refused.stderr).toMatch(oneLine);
    expect(refused.stderr).toMatch(/`dealkeep migrate`.*MIGRATE=true/);
  }
  expect(await tables()).toEqual(before);

  const program = await startReadyHere({ ...variables, MIGRATE: 'true' });
  expect((await fetch(`${program.origin}/readyz`)).status).toBe(200);
  await program.end('SIGTERM');
  const again = await startReadyHere({ ...variables, MIGRATE: '' });
  expect((await fetch(`${again.origin}/readyz`)).status).toBe(200);
});
