import { expect, test } from 'vitest';
import { newId } from '../../src/foundations/database/new-id.ts';

test('ids of records are UUIDs of version 7 that sort in the order in which they were made', () => {
  const ids = Array.from({ length: 10_000 }, newId);
  expect(ids).toEqual([...new Set(ids)].sort());
  for (const id of ids)
    expect(id).toMatch(/^[0-9a-f]{8}-[0-9a-f]{4}-7[0-9a-f]{3}-[89ab][0-9a-f]{3}-[0-9a-f]{12}$/);
});
