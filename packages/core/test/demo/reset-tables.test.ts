import { testDatabase } from '@dealkeep/testing';
import { expect, test } from 'vitest';
import { tablesKept, tablesReset } from '../../src/installation/demo/reset-test-environment.ts';

test('every table of an organization is either reset or kept', async () => {
  const { sql } = await testDatabase();
  const rows = await sql<{ table_name: string }[]>`
    select table_name from information_schema.columns
    where table_schema = 'public' and column_name = 'organization_id'`;
  expect(rows.map((row) => row.table_name).sort()).toEqual([...tablesReset, ...tablesKept].sort());
});
