import { randomUUIDv7 } from 'node:crypto';
import type { FieldProblem } from '@dealkeep/contract';
import { nextNumber } from '../document-numbers/next-number.ts';
import { invalidFields } from '../problem.ts';
import type { Refused, ValidPart } from '../verb/further-problems.ts';
import { type InputOf, type Reading, type ResultOf, type Scope, type Writing, writes } from '../verb/verb.ts';
import { findCounterparty } from './counterparty.ts';
import { type InvoiceColumns, readInvoice } from './invoice-record.ts';
import { furtherTotals, sumLines } from './line-totals.ts';

type Body = InputOf<'invoices.create'>['body'];

const create = async (
  context: Writing,
  { body }: InputOf<'invoices.create'>,
): Promise<ResultOf<'invoices.create'>> => {
  const { sql, organization, now } = context;
  const { currency, timeZone } = await context.directory();
  const { problems: unknown, ...counterparty } = await findCounterparty(
    context,
    body.client_id,
    body.company_id,
  );
  const dates = await chooseDates(context, body, timeZone);
  const { problems: tooBig, ...totals } = await sumLines(context, body.items);
  const problems: FieldProblem[] = [...unknown, ...tooBig, ...dueProblems(dates)];
  if (problems.length > 0) throw invalidFields(problems);

  const year = dates.issued_date.slice(0, 4);
  const sequence = String(await nextNumber(context, 'invoice', Number(year))).padStart(4, '0');
  const invoice: Omit<InvoiceColumns, 'items'> = {
    id: randomUUIDv7(),
    number: `${year}-${sequence}`,
    status: 'issued',
    currency: body.currency ?? currency,
    ...dates,
    paid_at: null,
    subtotal: totals.subtotal,
    vat_amount: totals.vat_amount,
    total: totals.total,
    variable_symbol: `${year}${sequence}`,
    ...counterparty,
    created_at: now,
    updated_at: now,
  };
  await sql`
    insert into invoices ${sql({
      organization_id: organization,
      ...invoice,
      items: sql.json(totals.items),
      note: body.note ?? null,
    })}`;
  const created = await readInvoice(context, invoice.id);
  context.emit('invoice.created', created);
  return created;
};

export const createInvoice = writes('invoices.create', create, { further });

async function further(context: Reading, refused: Refused<Body>): Promise<FieldProblem[]> {
  const { part, isRefused } = refused;
  const { timeZone } = await context.directory();
  const { problems } = await findCounterparty(context, part.client_id, part.company_id);
  const known = part.due_date && !isRefused('issued_date');
  const dates = known ? dueProblems(await chooseDates(context, part, timeZone)) : [];
  return [...problems, ...dates, ...(await furtherTotals(context, refused))];
}

const dueProblems = ({ issued_date, due_date }: Dates): FieldProblem[] =>
  due_date < issued_date ? [{ path: 'due_date', key: 'field.before_issue' }] : [];

interface Dates {
  issued_date: string;
  due_date: string;
}

/** Issued today in the organization's time zone, and due 14 days after the issue, unless the body says otherwise. */
async function chooseDates(
  { sql, now }: Scope,
  { issued_date, due_date }: Pick<ValidPart<Body>, 'issued_date' | 'due_date'>,
  timeZone: string,
): Promise<Dates> {
  // The calendar of the API ends with the year 9999.
  const [dates] = await sql<Dates[]>`
    select issued_date, coalesce(${due_date ?? null}::date, least(issued_date + 14, '9999-12-31')) as due_date
    from (select coalesce(${issued_date ?? null}::date, (${now}::timestamptz at time zone ${timeZone})::date)
          as issued_date) as issue`;
  if (!dates) throw new Error('Unreachable: the statement answers one row');
  return dates;
}
