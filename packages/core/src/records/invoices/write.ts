import { daysToPay, type FieldProblem, type Invoice, minorUnitsOf } from '@dealkeep/contract';
import type { Services } from '../../change/services.ts';
import type { ValidPart } from '../../change/verb/check-input.ts';
import { sweepOrganizations } from '../../change/verb/sweep-organizations.ts';
import { type InputOf, sweeps, writes } from '../../change/verb/verb.ts';
import { laterOf } from '../../foundations/clock.ts';
import type { Fragment, Statements } from '../../foundations/database/connect.ts';
import { newId } from '../../foundations/database/new-id.ts';
import { isAmountIn, sumAmounts } from '../../foundations/numbers/totals.ts';
import { sweptRecordsAtOnce } from '../../foundations/operating-limits.ts';
import { invalidField, invalidFields, Problem } from '../../foundations/problem.ts';
import {
  dueOrganizations,
  type FirstDue,
  ofAllOrganizations,
} from '../../identity/tenancy/due-organizations.ts';
import { amountsOf, draftDocument } from './document.ts';
import { invoices } from './record.ts';

type Body = InputOf<'invoices.create'>['body'];

export const createInvoice = writes('invoices.create', {
  async check(context, sent) {
    const { body, isRefused } = sent;
    const draft = await draftDocument(context, sent, { series: 'invoice', date: body.issued_date });
    const dates = chooseDates(body, draft.today);
    const problems = [...draft.problems, ...(isRefused('issued_date') ? [] : dueProblems(dates))];
    if (problems.length > 0) throw invalidFields(problems);
    return { draft, dates };
  },

  async run(context, { body }, { draft, dates }) {
    const { now } = context;
    const year = dates.issued_date.slice(0, 4);
    // Of nothing, nothing waits to be paid.
    const state =
      draft.sums.total === 0
        ? ({ status: 'paid', paid_at: now } as const)
        : ({ status: 'issued', paid_at: null } as const);
    const invoice = {
      ...invoices.valuesOf(body),
      id: newId(),
      number: `${year}-${draft.digits}`,
      variable_symbol: year + draft.digits,
      ...state,
      currency: draft.currency,
      ...dates,
      ...draft.counterparty,
      ...amountsOf(body.items, draft.sums),
      paid_amount: 0,
      created_at: now,
      updated_at: now,
    } as const;
    const joined = { company_name: draft.names.company_name, unpaid_amount: draft.sums.total };
    const row = await invoices.insertWhole(context, invoice, { joined });
    const created = await invoices.recordOf(context, row);
    context.emit('invoice.created', created);
    // It is paid at once; before that, it was issued.
    const before: Invoice = { ...created, status: 'issued', is_paid: false, paid_at: null };
    if (created.is_paid) context.emit('invoice.paid', created, before);
    return created;
  },
});

const dueProblems = ({ issued_date, due_date }: Dates): FieldProblem[] =>
  due_date < issued_date ? [{ path: 'due_date', key: 'field.before_issue' }] : [];

interface Dates {
  issued_date: string;
  due_date: string;
}

const lastDay = Date.parse('9999-12-31');

/**
 * Issued today, and due `daysToPay` later, unless the body says otherwise. Dates of the API end with the year 9999.
 */
function chooseDates(
  { issued_date, due_date }: Pick<ValidPart<Body>, 'issued_date' | 'due_date'>,
  today: string,
): Dates {
  const issued = issued_date ?? today;
  const usual = Math.min(Date.parse(issued) + daysToPay * 86_400_000, lastDay);
  return { issued_date: issued, due_date: due_date ?? new Date(usual).toISOString().slice(0, 10) };
}

/**
 * Records a payment: all that remains where no amount is given. The payment that leaves nothing makes the invoice
 * paid; a part changes what remains, without an event. Raises CONFLICT unless the invoice is issued or overdue, and
 * VALIDATION_ERROR for more than remains or parts of a minor unit of its currency; all that remains is always taken.
 */
export const payInvoice = writes('invoices.pay', {
  async check(context, { path, body }) {
    const invoice = await invoices.ofChange(context, path.id);
    const { status, currency, unpaid_amount } = invoice;
    if (!canBePaid(status)) throw new Problem('record.wrong_state', { state: status });
    const { amount = unpaid_amount } = body;
    if (amount > unpaid_amount) throw invalidField('amount', 'field.too_big', { max: unpaid_amount });
    // What remains of an invoice from before may have more decimals.
    if (amount !== unpaid_amount && !isAmountIn(currency, amount)) throw partsOfMinorUnits(currency);
    return { invoice, amount };
  },

  async run(context, _, { invoice, amount }) {
    const { unpaid_amount, updated_at } = invoice;
    const paidAt = laterOf(context.now, updated_at);
    const settled = amount === unpaid_amount ? ({ status: 'paid', paid_at: paidAt } as const) : {};
    const changes = { ...settled, paid_amount: sumAmounts(invoice.paid_amount, amount), updated_at: paidAt };
    const joined = { unpaid_amount: sumAmounts(unpaid_amount, -amount) };
    const row = await invoices.update(context, invoice, changes, { joined });
    const paid = await invoices.recordOf(context, row);
    if (paid.is_paid) context.emit('invoice.paid', paid);
    return paid;
  },
});

/** The refusal of what nobody can pay: a part of the smallest unit. */
const partsOfMinorUnits = (currency: string): Problem =>
  invalidField('amount', 'field.parts_of_minor_units', { currency, decimals: minorUnitsOf(currency) });

/**
 * Cancels an invoice of which nothing has been paid; the catalog has no event for it. Raises CONFLICT when it is
 * paid, wholly or in part, or cancelled already.
 */
export const cancelInvoice = writes('invoices.cancel', async (context, { path }) => {
  const invoice = await invoices.lock(context, path.id);
  const { status, paid_amount, updated_at } = invoice;
  if (!canBeCancelled(status)) throw new Problem('record.wrong_state', { state: status });
  if (paid_amount > 0) throw new Problem('invoice.partly_paid');
  const cancelledAt = laterOf(context.now, updated_at);
  const row = await invoices.update(context, invoice, { status: 'cancelled', updated_at: cancelledAt });
  return invoices.recordOf(context, row);
});

/**
 * Makes every issued invoice overdue whose due date has passed in its organization's time zone with something left
 * to pay (`invoice.overdue`), once. Any number of workers may run it at once. Answers how many there were.
 */
export async function markOverdueInvoices(core: Services): Promise<number> {
  const { sql, clock } = core;
  const now = clock.now().toISOString();
  const first = await sql<FirstDue[]>`
    select ${ofAllOrganizations(sql)} i.organization_id, min(i.due_date)::text as due from invoices i
    where ${mayBeDue(sql, now)} group by i.organization_id`;
  // Due from the end of the day on.
  const due = await dueOrganizations(sql, first, sql`local_time >= due + interval '1 day'`, now);
  return sweepOrganizations(core, due, markOverdue);
}

export const markOverdue = sweeps('invoices.mark-overdue', async (context) => {
  const { sql, organization, now } = context;
  const { timeZone } = await context.referenceData();
  const marked = await sql<{ id: string }[]>`
    with due as (
      select i.id from invoices i
      where i.organization_id = ${organization} and ${mayBeDue(sql, now)}
        and i.due_date < (${now}::timestamptz at time zone ${timeZone})::date
      order by i.id limit ${sweptRecordsAtOnce} for no key update of i)
    update invoices i set status = 'overdue', updated_at = greatest(i.updated_at, ${now}::timestamptz) from due
    where i.organization_id = ${organization} and i.id = due.id
    returning i.id`;
  const ids = marked.map(({ id }) => id);
  const rows = await invoices.rows(
    context,
    sql`i.organization_id = ${organization} and i.id = any(${ids}::uuid[]) order by i.due_date, i.id`,
  );
  for (const invoice of await invoices.records(context, rows)) context.emit('invoice.overdue', invoice);
  return rows.length;
});

/**
 * Issued invoices (alias `i`) whose due date has passed somewhere: no clock on earth is more than 14 hours ahead of
 * UTC. In the words of the index.
 */
const mayBeDue = (sql: Statements, now: string): Fragment => sql`
  i.status = 'issued' and i.due_date < (${now}::timestamptz at time zone 'UTC' + interval '14 hours')::date
  and i.total > i.paid_amount`;

/** Whether an invoice waits for money. */
const canBePaid = (status: Invoice['status']): boolean => status === 'issued' || status === 'overdue';

/** Whether an invoice can be cancelled, were nothing of it paid. */
const canBeCancelled = (status: Invoice['status']): boolean => status !== 'paid' && status !== 'cancelled';

/** What can be done with an invoice as it is. */
export function possibleInvoiceSteps({
  status,
  total,
  remaining_amount,
}: Pick<Invoice, 'status' | 'total' | 'remaining_amount'>): ('invoices.pay' | 'invoices.cancel')[] {
  const untouched = remaining_amount === total;
  return [
    ...(canBePaid(status) ? (['invoices.pay'] as const) : []),
    ...(canBeCancelled(status) && untouched ? (['invoices.cancel'] as const) : []),
  ];
}
