import type { Changing } from '../verb/verb.ts';

export type NumberSeries = 'invoice' | 'quote' | 'order';

/**
 * The next number of a series and year, from 1, without gaps: the row stays locked until the transaction ends, and a
 * transaction that fails takes its number back. Ask late, because others wait.
 */
export async function nextNumber(
  { sql, organization }: Changing,
  series: NumberSeries,
  year: number,
): Promise<number> {
  const [row] = await sql<{ last: number }[]>`
    insert into document_numbers (organization_id, series, year, last)
    values (${organization}, ${series}, ${year}, 1)
    on conflict (organization_id, series, year) do update set last = document_numbers.last + 1
    returning last`;
  if (!row) throw new Error('Unreachable: the row is inserted or updated');
  return row.last;
}
