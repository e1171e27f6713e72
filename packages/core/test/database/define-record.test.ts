import { expect, test } from 'vitest';
import * as z from 'zod';
import { defineRecord, moment, type ShownWith, text } from '../../src/change/record-tables/define-record.ts';

const things = defineRecord({
  schema: z.object({
    id: z.string(),
    name: z.string().optional(),
    size: z.string().optional(),
    created_at: z.string(),
  }),
  table: 'things',
  alias: 't',
  columns: { id: text, made_of: text.orNull, created_at: moment },
  shown: (row) => (row.made_of === null ? {} : { name: row.made_of, size: 'large' }),
});

test('a record has its fields in the order of the contract, and of the optional ones those that it has', () => {
  const from = {} as ShownWith;
  const textOf = (madeOf: string | null): string => {
    const row = things.unpackValues(['1', madeOf, '2026-10-01T12:00:00.5+00:00'], 1);
    return JSON.stringify(things.record(row, from));
  };
  const plain = '{"id":"1","created_at":"2026-10-01T12:00:00.500Z"}';
  const named = '{"id":"1","name":"wood","size":"large","created_at":"2026-10-01T12:00:00.500Z"}';
  expect([textOf(null), textOf('wood'), textOf(null)]).toEqual([plain, named, plain]);
});
