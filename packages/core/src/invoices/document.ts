import { type FieldProblem, type InvoiceItem, largestAmount } from '@dealkeep/contract';
import type { Refused } from '../verb/check-input.ts';
import type { Changing, Scope } from '../verb/verb.ts';

/** Whom an invoice or a quote is for. */
interface Counterparty {
  client_id: string | null;
  company_id: string | null;
}

/** The client and company that ids name. A client brings its company along; one of another company fails. */
export async function findCounterparty(
  { sql, organization }: Pick<Scope, 'sql' | 'organization'>,
  clientId: string | null | undefined,
  companyId: string | null | undefined,
): Promise<Counterparty & { problems: FieldProblem[] }> {
  if (!clientId && !companyId) return { client_id: null, company_id: null, problems: [] };
  const [found] = await sql<{ company_id: string | null; company_of_client: string | null }[]>`
    select (select id from companies where organization_id = ${organization}
            and id = ${companyId ?? null}) as company_id,
           (select company_id from clients where organization_id = ${organization}
            and id = ${clientId ?? null}) as company_of_client`;
  const company = found?.company_id ?? null;
  const companyOfClient = found?.company_of_client ?? null;
  const problems: FieldProblem[] = [];
  if (clientId && !companyOfClient) problems.push({ path: 'client_id', key: 'field.not_found' });
  if (companyId && !company) problems.push({ path: 'company_id', key: 'field.not_found' });
  if (company && companyOfClient && company !== companyOfClient) {
    problems.push({ path: 'client_id', key: 'field.client_of_other_company' });
  }
  return { client_id: clientId ?? null, company_id: company ?? companyOfClient, problems };
}

/** A line as a body describes it. */
interface NewLine {
  name: string;
  unit_price: number;
  quantity?: number | null | undefined;
  unit?: string | null | undefined;
  vat_rate?: number | null | undefined;
}

interface LineTotals {
  items: InvoiceItem[];
  subtotal: number;
  vat_amount: number;
  total: number;
}

/**
 * Sums lines up in exact decimals: each line's total and each line's VAT are rounded to two of them, half away from
 * zero. Answers the failing fields as well, where a sum is beyond what an amount may be.
 */
export async function sumLines(
  { sql }: Pick<Scope, 'sql'>,
  lines: readonly NewLine[],
): Promise<LineTotals & { problems: FieldProblem[] }> {
  const items = lines.map(({ name, unit_price, quantity, unit, vat_rate }) => ({
    name,
    quantity: quantity ?? 1,
    unit: unit ?? null,
    unit_price,
    vat_rate: vat_rate ?? null,
  }));
  const factors = items.map(({ quantity, unit_price, vat_rate }, position) => ({
    position,
    quantity,
    unit_price,
    vat_rate,
  }));
  // Multiplied by 0.01, not divided by 100: numeric division rounds.
  const [sums] = await sql<(Omit<LineTotals, 'items'> & { totals: number[] })[]>`
    with line as (
      select position, vat_rate, round(quantity * unit_price, 2) as total
      from jsonb_to_recordset(${sql.json(factors)})
        as factor (position integer, quantity numeric, unit_price numeric, vat_rate numeric)),
    vat as (select sum(round(total * coalesce(vat_rate, 0) * 0.01, 2)) as vat_amount from line)
    select json_agg(total order by position) as totals, sum(total) as subtotal, vat_amount,
           sum(total) + vat_amount as total
    from line, vat group by vat_amount`;
  if (!sums) throw new Error('Unreachable: there is at least one line');
  const { totals, ...amounts } = sums;
  return {
    items: items.map((item, index) => ({ ...item, total: totals[index] ?? 0 })),
    ...amounts,
    problems: totalProblems(totals, amounts.total),
  };
}

/**
 * The failing fields of `sumLines` where some lines are refused for something else: the other lines are still judged,
 * each and all together.
 */
export async function furtherTotals(
  scope: Pick<Scope, 'sql'>,
  { part: { items = [] }, isRefused }: Refused<{ items: readonly NewLine[] }>,
): Promise<FieldProblem[]> {
  const factors = ['unit_price', 'quantity', 'vat_rate'] as const;
  const known = [...items.entries()].flatMap(([index, item]) => {
    const isUnclear = factors.some((name) => isRefused(`items[${index}].${name}`));
    if (!item || item.unit_price === undefined || isUnclear) return [];
    return [{ index, line: { ...item, name: '', unit_price: item.unit_price } }];
  });
  if (known.length === 0) return [];
  const { items: summed, problems } = await sumLines(
    scope,
    known.map(({ line }) => line),
  );
  const lines = known.filter((_, position) => (summed[position]?.total ?? 0) > largestAmount);
  if (lines.length === 0) return problems;
  const paths = lines.map(({ index }) => `items[${index}]`);
  const others = await furtherTotals(scope, {
    part: { items },
    isRefused: (path) => isRefused(path) || paths.some((line) => path.startsWith(`${line}.`)),
  });
  return [...paths.map((path) => ({ path, ...tooBig })), ...others];
}

const tooBig = { key: 'field.total_too_big', values: { max: largestAmount } } as const;

/** Sums must not exceed the largest amount either (rule bodies 23). */
function totalProblems(totals: readonly number[], total: number): FieldProblem[] {
  const lines = totals.flatMap((each, index) =>
    each > largestAmount ? [{ path: `items[${index}]`, ...tooBig }] : [],
  );
  if (lines.length > 0) return lines;
  return total > largestAmount ? [{ path: 'items', ...tooBig }] : [];
}

type NumberSeries = 'invoice' | 'quote' | 'order';

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
