import { type FieldProblem, type InvoiceItem, largestAmount } from '@dealkeep/contract';
import type { Refused } from '../../change/verb/check-input.ts';
import type { Changing, ReadContext } from '../../change/verb/verb.ts';
import type { Fragment } from '../../foundations/database/connect.ts';
import { sumLines } from '../../foundations/numbers/totals.ts';

/** Whom an invoice or a quote is for. */
interface Counterparty {
  client_id: string | null;
  company_id: string | null;
}

interface FoundParties {
  readonly company_id: string | null;
  readonly company_of_client: string | null;
}

/** The columns of `FoundParties`. */
const partyColumns = (
  { sql, organization }: Pick<ReadContext, 'sql' | 'organization'>,
  clientId: string | null | undefined,
  companyId: string | null | undefined,
): Fragment => sql`
  (select id from companies where organization_id = ${organization} and id = ${companyId ?? null}) as company_id,
  (select company_id from clients
   where organization_id = ${organization} and id = ${clientId ?? null}) as company_of_client`;

/** The client and company that ids name. A client brings its company along; one of another company fails. */
export async function findCounterparty(
  scope: Pick<ReadContext, 'sql' | 'organization'>,
  clientId: string | null | undefined,
  companyId: string | null | undefined,
): Promise<Counterparty & { problems: FieldProblem[] }> {
  if (!clientId && !companyId) return { client_id: null, company_id: null, problems: [] };
  const [found] = await scope.sql<FoundParties[]>`select ${partyColumns(scope, clientId, companyId)}`;
  if (!found) throw new Error('Unreachable: the statement answers one row');
  return counterpartyOf(found, clientId, companyId);
}

function counterpartyOf(
  { company_id: company, company_of_client: companyOfClient }: FoundParties,
  clientId: string | null | undefined,
  companyId: string | null | undefined,
): Counterparty & { problems: FieldProblem[] } {
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

/** What a body says of a document: whom it is for, and its lines. */
interface DocumentBody {
  readonly client_id?: string | null | undefined;
  readonly company_id?: string | null | undefined;
  readonly lead_id?: string | null | undefined;
  readonly items: readonly NewLine[];
  readonly currency?: string | null | undefined;
}

/** What an invoice or a quote is made of. */
interface Draft {
  readonly counterparty: Counterparty;
  /** The organization's where the body names none. */
  readonly currency: string;
  readonly totals: LineTotals;
  /** What other tables show of whom it is for and what it is of. */
  readonly names: { readonly company_name: string | null; readonly lead_name: string | null };
  /** In the organization's time zone, YYYY-MM-DD. */
  readonly today: string;
  /** Its number's digits; the year before them is that of its date, or of today. */
  readonly digits: string;
  /** The failing fields: references that do not exist, and sums that exceed the largest amount. */
  readonly problems: readonly FieldProblem[];
}

interface FoundParts extends FoundParties {
  readonly company_name: string | null;
  readonly lead: [name: string | null] | null;
  readonly today: string;
  readonly digits: string;
}

/** Looks up in one statement what a new invoice or quote is made of, and takes the next number of the series. */
export async function draftDocument(
  changing: Changing,
  { client_id, company_id, lead_id, items, currency: wanted }: DocumentBody,
  { series, date }: { series: NumberSeries; date?: string | null | undefined },
): Promise<Draft> {
  const { sql, organization, now } = changing;
  const { timeZone, currency: usual } = await changing.directory();
  const currency = wanted ?? usual;
  const today = sql`(${now}::timestamptz at time zone ${timeZone})::date`;
  const year = sql`extract(year from coalesce(${date ?? null}::date, ${today}))`;
  const [found] = await sql<FoundParts[]>`
    with ${nextNumber(changing, series, year)}
    select ${today} as today, number.digits, party.*, (
             select name from companies
             where organization_id = ${organization} and id = coalesce(party.company_id, party.company_of_client)
           ) as company_name,
           (select json_build_array(name) from leads
            where organization_id = ${organization} and id = ${lead_id ?? null}) as lead
    from number, (select ${partyColumns(changing, client_id, company_id)}) party`;
  if (!found) throw new Error('Unreachable: there is always a next number');
  const { totals, ...sums } = sumLines(items, currency);
  const { problems, ...counterparty } = counterpartyOf(found, client_id, company_id);
  if (lead_id && !found.lead) problems.push({ path: 'lead_id', key: 'field.not_found' });
  return {
    counterparty,
    currency,
    totals: { items: linesOf(items, totals), ...sums },
    names: { company_name: found.company_name, lead_name: found.lead?.[0] ?? null },
    today: found.today,
    digits: found.digits,
    problems: [...problems, ...totalProblems(totals, sums.total)],
  };
}

const linesOf = (lines: readonly NewLine[], totals: readonly number[]): InvoiceItem[] =>
  lines.map(({ name, unit_price, quantity, unit, vat_rate }, index) => ({
    name,
    quantity: quantity ?? 1,
    unit: unit ?? null,
    unit_price,
    vat_rate: vat_rate ?? null,
    total: totals[index] ?? 0,
  }));

/**
 * The failing fields of the lines where some are refused for something else: the other lines are still judged,
 * each and all together.
 */
export function furtherTotals(
  { part: { items = [] }, isRefused }: Refused<{ items: readonly NewLine[] }>,
  currency: string,
): FieldProblem[] {
  const factors = ['unit_price', 'quantity', 'vat_rate'] as const;
  const known = [...items.entries()].flatMap(([index, item]) => {
    const isUnclear = factors.some((name) => isRefused(`items[${index}].${name}`));
    if (!item || item.unit_price === undefined || isUnclear) return [];
    return [{ index, line: { ...item, name: '', unit_price: item.unit_price } }];
  });
  if (known.length === 0) return [];
  const sums = sumLines(
    known.map(({ line }) => line),
    currency,
  );
  const problems = totalProblems(sums.totals, sums.total);
  const lines = known.filter((_, position) => (sums.totals[position] ?? 0) > largestAmount);
  if (lines.length === 0) return problems;
  const paths = lines.map(({ index }) => `items[${index}]`);
  const others = furtherTotals(
    {
      part: { items },
      isRefused: (path) => isRefused(path) || paths.some((line) => path.startsWith(`${line}.`)),
    },
    currency,
  );
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
 * A part of a statement: `number`, whose `digits` are the next number of a series and year, from 0001, without gaps.
 * Its row stays locked until the transaction ends, and a transaction that fails takes its number back. It should
 * come late in a transaction, because others wait.
 */
export const nextNumber = (
  { sql, organization }: Changing,
  series: NumberSeries,
  year: Fragment,
): Fragment => sql`
  number as (
    insert into document_numbers (organization_id, series, year, last)
    values (${organization}, ${series}, ${year}, 1)
    on conflict (organization_id, series, year) do update set last = document_numbers.last + 1
    returning lpad(last::text, greatest(4, length(last::text)), '0') as digits)`;
