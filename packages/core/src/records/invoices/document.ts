import { type FieldProblem, type InvoiceItem, largestAmount } from '@dealkeep/contract';
import type { ValidPart } from '../../change/verb/check-input.ts';
import { isChanging, type ReadContext } from '../../change/verb/verb.ts';
import type { Fragment } from '../../foundations/database/connect.ts';
import { type CountedLine, type Sums, sumLines } from '../../foundations/numbers/totals.ts';

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
  readonly sums: Sums;
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

/** What is sent of a document, as far as it is not refused. */
interface SentDocument {
  readonly body: ValidPart<DocumentBody>;
  isRefused(path: string): boolean;
}

/** Looks up in one statement what a new invoice or quote is made of, and takes the next number of the series. */
export async function draftDocument(
  context: ReadContext,
  sent: SentDocument,
  { series, date }: { series: NumberSeries; date?: string | null | undefined },
): Promise<Draft> {
  const { sql, organization, now } = context;
  const { client_id, company_id, lead_id, currency: wanted } = sent.body;
  const { timeZone, currency: usual } = await context.referenceData();
  const currency = wanted ?? usual;
  const today = sql`(${now}::timestamptz at time zone ${timeZone})::date`;
  const year = sql`extract(year from coalesce(${date ?? null}::date, ${today}))`;
  const [found] = await sql<FoundParts[]>`
    with ${nextNumber(context, series, year)}
    select ${today} as today, number.digits, party.*, (
             select name from companies
             where organization_id = ${organization} and id = coalesce(party.company_id, party.company_of_client)
           ) as company_name,
           (select json_build_array(name) from leads
            where organization_id = ${organization} and id = ${lead_id ?? null}) as lead
    from number, (select ${partyColumns(context, client_id, company_id)}) party`;
  if (!found) throw new Error('Unreachable: there is always a next number');
  const { sums, problems: ofSums } = countLines(clearLines(sent), currency);
  const { problems, ...counterparty } = counterpartyOf(found, client_id, company_id);
  if (lead_id && !found.lead) problems.push({ path: 'lead_id', key: 'field.not_found' });
  return {
    counterparty,
    currency,
    sums,
    names: { company_name: found.company_name, lead_name: found.lead?.[0] ?? null },
    today: found.today,
    digits: found.digits,
    problems: [...problems, ...ofSums],
  };
}

/** The lines and amounts of a document of which everything is known. */
export const amountsOf = (lines: readonly NewLine[], { totals, ...sums }: Sums) => ({
  items: lines.map(
    ({ name, unit_price, quantity, unit, vat_rate }, index): InvoiceItem => ({
      name,
      quantity: quantity ?? 1,
      unit: unit ?? null,
      unit_price,
      vat_rate: vat_rate ?? null,
      total: totals[index] ?? 0,
    }),
  ),
  ...sums,
});

/** A line of which everything is known that it is counted by. */
interface PlacedLine {
  readonly index: number;
  readonly line: CountedLine;
}

function clearLines({ body: { items = [] }, isRefused }: SentDocument): PlacedLine[] {
  const factors = ['unit_price', 'quantity', 'vat_rate'] as const;
  return [...items.entries()].flatMap(([index, item]) => {
    if (item?.unit_price === undefined) return [];
    const isUnclear = factors.some((name) => isRefused(`items[${index}].${name}`));
    return isUnclear ? [] : [{ index, line: { ...item, unit_price: item.unit_price } }];
  });
}

/** The amounts of lines, and which are beyond what an amount may be: each by itself, and the others all together. */
function countLines(
  placed: readonly PlacedLine[],
  currency: string,
): { sums: Sums; problems: FieldProblem[] } {
  const sums = sumLines(
    placed.map(({ line }) => line),
    currency,
  );
  const isTooBig = (_: PlacedLine, position: number): boolean => (sums.totals[position] ?? 0) > largestAmount;
  const lines = placed.filter(isTooBig);
  if (lines.length === 0) {
    return { sums, problems: sums.total > largestAmount ? [{ path: 'items', ...tooBig }] : [] };
  }
  const others = placed.filter((each) => !lines.includes(each));
  const problems = lines.map(({ index }): FieldProblem => ({ path: `items[${index}]`, ...tooBig }));
  return { sums, problems: [...problems, ...countLines(others, currency).problems] };
}

/** Sums must not exceed the largest amount either (rule bodies 23). */
const tooBig = { key: 'field.total_too_big', values: { max: largestAmount } } as const;

type NumberSeries = 'invoice' | 'quote' | 'order';

/**
 * A part of a statement: `number`, whose `digits` are the next number of a series and year, from 0001, without gaps.
 * Its row stays locked until the transaction ends, and a transaction that fails takes its number back. It should
 * come late in a transaction, because others wait. Outside of a change none is taken.
 */
export function nextNumber(context: ReadContext, series: NumberSeries, year: Fragment): Fragment {
  const { sql, organization } = context;
  if (!isChanging(context)) return sql`number as (select '' as digits)`;
  return sql`
    number as (
      insert into document_numbers (organization_id, series, year, last)
      values (${organization}, ${series}, ${year}, 1)
      on conflict (organization_id, series, year) do update set last = document_numbers.last + 1
      returning lpad(last::text, greatest(4, length(last::text)), '0') as digits)`;
}
