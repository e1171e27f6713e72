import { randomUUID } from 'node:crypto';
import { expect, test } from 'vitest';
import { prepareFence } from '../../src/installation/moving/fence.ts';
import { vacuumedDatabase } from '../database/vacuumed-database.ts';

test('a move of an organization ends an autovacuum of a table that it makes triggers on', async () => {
  const { sql } = await vacuumedDatabase();
  await prepareFence(sql, randomUUID());
  const [made] = await sql`
    select count(*)::integer as count from pg_trigger where tgrelid = 'organizations'::regclass and tgname like 'moves_%'`;
  expect(made).toEqual({ count: 3 });
});
