import { sharedDealkeep } from '@dealkeep/testing';
import { expect, test } from 'vitest';
import { breaksCheck, breaksConstraint } from '../../src/foundations/database/failures.ts';

const { sql } = await sharedDealkeep();

/** What PostgreSQL says of a second row with the same value where the constraint is called so. */
async function failureOf(constraint: string, definition: string): Promise<unknown> {
  return sql
    .begin(async (tx) => {
      await tx.unsafe(
        `create temporary table part (value integer, constraint ${constraint} ${definition}) on commit drop`,
      );
      await tx`insert into part values (1)`;
      await tx`insert into part values (1)`;
    })
    .catch((error: unknown) => error);
}

test.each(['skus_taken', 'skus_taken_102054', 'skus_taken_1020541'])(
  'a unique constraint is known by its name: %s, as a part of a distributed table has it',
  async (name) => {
    const failure = await failureOf(name, 'unique (value)');
    expect(breaksConstraint(failure, 'skus_taken')).toBe(true);
    expect(breaksConstraint(failure, 'skus')).toBe(false);
  },
);

test.each(['leads_erased', 'leads_erased_102054'])('a check is known by its name: %s', async (name) => {
  const failure = await failureOf(name, 'check (value > 1)');
  expect(breaksCheck(failure, /^(companies|leads)_erased$/)).toBe(true);
  expect(breaksCheck(failure, /^companies_erased$/)).toBe(false);
});

test.each([
  ['unique (value)', breaksConstraint, 'skus_taken'],
  ['check (value > 1)', breaksCheck, /^skus_taken$/],
] as const)(
  'a name that stands in the message alone, as Citus tells it, is known: %s',
  async (definition, breaks, name) => {
    const failure = await failureOf('skus_taken_102054', definition);
    if (typeof failure === 'object' && failure) Reflect.deleteProperty(failure, 'constraint_name');
    expect(Reflect.apply(breaks, undefined, [failure, name])).toBe(true);
  },
);

test('a number that belongs to a name stays', async () => {
  const failure = await failureOf('series_2027', 'unique (value)');
  expect(breaksConstraint(failure, 'series_2027')).toBe(true);
  expect(breaksConstraint(failure, 'series')).toBe(false);
});
