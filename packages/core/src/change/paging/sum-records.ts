import { limits } from '@dealkeep/contract';
import type { Fragment, Statements } from '../../foundations/database/connect.ts';
import { Problem } from '../../foundations/problem.ts';
import type { ReferenceData } from '../../identity/reference-data/reference-data.ts';
import type { AnyRecordTable } from '../record-tables/define-record.ts';
import { sightOf } from '../verb/sight.ts';
import type { ReadContext, Reading } from '../verb/verb.ts';
import { type CommonQuery, type ListOfRecords, wholeList } from './list-page.ts';

/** By what records are summed. */
interface Grouping {
  /** The value of a record. */
  readonly of: Fragment;
  /** The names of what it is the id of, kept in memory; or the table that has them. */
  readonly named?: ReadonlyMap<string, { readonly name: string }> | 'companies';
}

/** What is added up of the records of a list. */
interface Summing<By extends string> {
  readonly amount: Fragment;
  /** What remains to be paid. */
  readonly remaining?: Fragment;
  /** Of a record; the organization's own where it has none. */
  readonly currency?: Fragment;
  readonly groupings: { readonly [Name in By]: Grouping };
}

interface Sum {
  count: number;
  amount: number;
  remaining_amount?: number;
}

interface SumRow {
  value: string | null;
  currency: string;
  count: number;
  amount: number;
  remaining: number | null;
}

interface Sums {
  totals: ({ currency: string } & Sum)[];
  groups: ({ name: string | null; id?: string; currency: string } & Sum)[];
}

/** The month of a date, or of a moment where the organization is: `2026-10`. */
export const monthOf = {
  date: (sql: Statements, column: string): Fragment => sql`to_char(${sql.unsafe(column)}, 'YYYY-MM')`,
  moment: (sql: Statements, column: string, { timeZone }: Pick<ReferenceData, 'timeZone'>): Fragment =>
    sql`to_char(${sql.unsafe(column)} at time zone ${timeZone}, 'YYYY-MM')`,
};

/**
 * How many records a list has and what they are worth together, in all and of each group, in one statement. Amounts
 * of different currencies are never added up. Raises INVALID_PARAMETER where there are more than `summedRecords`.
 */
export async function sumRecords<
  Query extends CommonQuery,
  Table extends AnyRecordTable,
  Item,
  const By extends string,
>(
  context: Reading,
  { by, query }: { readonly by: By | undefined; readonly query: Query },
  list: ListOfRecords<Query, Table, Item>,
  { amount, remaining, currency, groupings }: Summing<By>,
): Promise<Sums> {
  const { sql } = context;
  const { currency: own } = await context.referenceData();
  const grouping: Grouping | undefined = by === undefined ? undefined : groupings[by];
  const { rows, where, limit } = wholeList(context, query, list, limits.summedRecords);
  const found = await sql<SumRow[]>`
    select value, currency, count(*)::integer as count, coalesce(sum(amount), 0)::float8 as amount,
           sum(remaining)::float8 as remaining
    from (
      select (${grouping?.of ?? sql`null`})::text as value, coalesce(${currency ?? sql`null`}, ${own}) as currency,
             ${amount} as amount, ${remaining ?? sql`null::numeric`} as remaining
      from ${rows} where ${where} limit ${limit}) summed
    group by value, currency`;
  const count = found.reduce((sum, row) => sum + row.count, 0);
  if (count > limits.summedRecords) throw new Problem('list.too_long_to_sum', { max: limits.summedRecords });
  const groups = grouping === undefined ? [] : await namedGroups(context, grouping, found);
  return { totals: totalsOf(found), groups };
}

function totalsOf(rows: readonly SumRow[]): Sums['totals'] {
  const currencies = [...new Set(rows.map(({ currency }) => currency))].toSorted();
  return currencies.map((currency) => ({
    currency,
    ...rows
      .filter((row) => row.currency === currency)
      .map(sumOf)
      .reduce((one, other) => ({
        count: one.count + other.count,
        amount: cents(one.amount + other.amount),
        ...(one.remaining_amount === undefined || other.remaining_amount === undefined
          ? {}
          : { remaining_amount: cents(one.remaining_amount + other.remaining_amount) }),
      })),
  }));
}

/** Binary fractions add up to no sum of money. */
const cents = (amount: number): number => Math.round(amount * 100) / 100;

const sumOf = ({ count, amount, remaining }: SumRow): Sum => ({
  count,
  amount,
  ...(remaining === null ? {} : { remaining_amount: remaining }),
});

async function namedGroups(
  context: Reading,
  { named }: Grouping,
  rows: readonly SumRow[],
): Promise<Sums['groups']> {
  const sorted = rows.toSorted(
    (one, other) =>
      other.amount - one.amount ||
      other.count - one.count ||
      String(one.value).localeCompare(String(other.value)),
  );
  if (named === 'companies') requireCompanies(context.actor);
  const names = named === 'companies' ? await companyNames(context, sorted) : named;
  return sorted.map((row) => {
    const { value, currency } = row;
    const name = value === null || names === undefined ? value : (names.get(value)?.name ?? value);
    return {
      name,
      ...(value === null || names === undefined ? {} : { id: value }),
      currency,
      ...sumOf(row),
    };
  });
}

/** Raises ROLE_SCOPE_LIMITED for somebody whose role does not show all companies (rule scopes 13). */
function requireCompanies(actor: Reading['actor']): void {
  if (sightOf(actor, 'company') !== 'all')
    throw new Problem('role.limited', { permission: 'companies.view' });
}

async function companyNames(
  { sql, organization }: ReadContext,
  rows: readonly SumRow[],
): Promise<ReadonlyMap<string, { readonly name: string }>> {
  const ids = rows.flatMap(({ value }) => value ?? []);
  const found = await sql<{ id: string; name: string }[]>`
    select id, name from companies where organization_id = ${organization} and id = any(${ids}::uuid[])`;
  return new Map(found.map((each) => [each.id, each]));
}
