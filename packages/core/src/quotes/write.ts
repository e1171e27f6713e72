import { randomUUIDv7 } from 'node:crypto';
import { CreateQuote, type EventType, type FieldProblem, type Quote } from '@dealkeep/contract';
import type * as z from 'zod';
import { laterOf } from '../clock.ts';
import type { Core } from '../core.ts';
import { requireSendable } from '../events/event-book.ts';
import { draftDocument, findCounterparty, furtherTotals, nextNumber } from '../invoices/document.ts';
import { invalidFields, Problem } from '../problem.ts';
import { checkInputThroughout, problemsThroughout, type Refused } from '../verb/check-input.ts';
import { type Once, type OrganizationName, transact } from '../verb/transact.ts';
import type { Changing, Scope } from '../verb/verb.ts';
import { quotes } from './record.ts';

export type NewQuote = z.input<typeof CreateQuote>;

/**
 * Makes a draft under the next number of the year, `Q-YYYY-NNNN`; quotes have no API operations, and the catalog no
 * event for this. Lines are summed up as those of an invoice. Raises VALIDATION_ERROR with every failing field.
 */
export const createQuote = (
  core: Core,
  organization: OrganizationName,
  input: NewQuote,
  once?: Once,
): Promise<Quote> =>
  transact(
    core,
    organization,
    async (context) => {
      const { sql, now } = context;
      const body = await checkInputThroughout(CreateQuote, input, (refused) => further(context, refused));
      const { currency, timeZone } = await context.directory();
      const { counterparty, totals, today, problems } = await draftDocument(context, body, timeZone);
      if (problems.length > 0) throw invalidFields(problems);

      const year = today.slice(0, 4);
      const inserted = quotes.inserting(context, {
        ...quotes.valuesOf(body),
        id: randomUUIDv7(),
        number: sql`${`Q-${year}-`}::text || number.digits`,
        status: 'draft',
        currency: body.currency ?? currency,
        ...counterparty,
        ...totals,
        created_at: now,
        updated_at: now,
      });
      const [row] = await quotes.written(
        sql,
        sql`${nextNumber(context, 'quote', year)}, written as (${inserted} from number returning *)`,
      );
      if (!row) throw new Error('Unreachable: there is always a next number');
      const made = await quotes.recordOf(context, row);
      // Its first event comes later.
      requireSendable(made);
      return made;
    },
    once,
  );

/** What is wrong with a quote, for a form that is refused anyway. */
export const quoteProblems = (
  { sql }: Pick<Core, 'sql'>,
  organization: Pick<OrganizationName, 'id'>,
  input: Readonly<Record<string, unknown>>,
): Promise<FieldProblem[]> =>
  problemsThroughout(CreateQuote, input, (refused) =>
    further({ sql, organization: organization.id }, refused),
  );

/** References that do not exist, and sums that exceed the largest amount. */
async function further(
  reading: Pick<Scope, 'sql' | 'organization'>,
  refused: Refused<z.output<typeof CreateQuote>>,
): Promise<FieldProblem[]> {
  const { client_id: client, company_id: company, lead_id: lead } = refused.part;
  const { problems } = await findCounterparty(reading, client, company);
  return [...problems, ...(await leadProblems(reading, lead)), ...(await furtherTotals(reading, refused))];
}

async function leadProblems(
  { sql, organization }: Pick<Scope, 'sql' | 'organization'>,
  leadId: string | null | undefined,
): Promise<FieldProblem[]> {
  if (!leadId) return [];
  const [lead] = await sql`select 1 from leads where organization_id = ${organization} and id = ${leadId}`;
  return lead ? [] : [{ path: 'lead_id', key: 'field.not_found' }];
}

/** A step of a quote: the state that it starts from, what it writes, what it is called. */
interface Step {
  readonly from: Quote['status'];
  readonly event?: EventType;
  changes(now: string): Parameters<typeof quotes.update>[2];
}

export type QuoteStep = 'send' | 'accept' | 'reject';

/** The state that each step of a quote starts from. */
const stepsFrom: Readonly<Record<QuoteStep, Quote['status']>> = {
  send: 'draft',
  accept: 'sent',
  reject: 'sent',
};

/** What can be done with a quote as it is. */
export const possibleQuoteSteps = ({ status }: Pick<Quote, 'status'>): QuoteStep[] =>
  (['send', 'accept', 'reject'] as const).filter((step) => stepsFrom[step] === status);

async function changeQuote(context: Changing, id: string, step: Step): Promise<Quote> {
  const before = await quotes.lock(context, id);
  if (before.status !== step.from) throw new Problem('record.wrong_state', { state: before.status });
  const changedAt = laterOf(context.now, before.updated_at);
  const row = await quotes.update(context, id, { ...step.changes(changedAt), updated_at: changedAt });
  const changed = await quotes.recordOf(context, row);
  if (step.event) context.emit(step.event, changed);
  return changed;
}

const decision =
  (step: Step) =>
  (core: Core, organization: OrganizationName, { id }: { id: string }): Promise<Quote> =>
    transact(core, organization, (context) => changeQuote(context, id, step));

/** Marks a draft as sent to the customer; the catalog has no event for it. Raises NOT_FOUND or CONFLICT. */
export const sendQuote = decision({ from: stepsFrom.send, changes: () => ({ status: 'sent' }) });

/** The customer agreed to a quote that was sent: `quote.accepted`. Raises NOT_FOUND or CONFLICT. */
export const acceptQuote = decision({
  from: stepsFrom.accept,
  event: 'quote.accepted',
  changes: (now) => ({ status: 'accepted', accepted_at: now }),
});

/** The customer declined a quote that was sent: `quote.rejected`. Raises NOT_FOUND or CONFLICT. */
export const rejectQuote = decision({
  from: stepsFrom.reject,
  event: 'quote.rejected',
  changes: (now) => ({ status: 'rejected', rejected_at: now }),
});
