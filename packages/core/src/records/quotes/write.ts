import type { EventType, FieldProblem, Quote } from '@dealkeep/contract';
import { requireSendable } from '../../change/events/outbox.ts';
import type { Refused } from '../../change/verb/check-input.ts';
import { type Changing, type InputOf, type ReadContext, writes } from '../../change/verb/verb.ts';
import { laterOf } from '../../foundations/clock.ts';
import { newId } from '../../foundations/database/new-id.ts';
import { invalidFields, Problem } from '../../foundations/problem.ts';
import { requireStorage } from '../../identity/tenancy/measure-storage.ts';
import { draftDocument, findCounterparty, furtherTotals } from '../invoices/document.ts';
import { quotes } from './record.ts';

/**
 * Makes a draft under the next number of the year, `Q-YYYY-NNNN`; the catalog has no event for it. Lines are summed
 * up as those of an invoice.
 */
export const createQuote = writes(
  'quotes.create',
  async (context, { body }) => {
    const { now } = context;
    const draft = await draftDocument(context, body, { series: 'quote' });
    if (draft.problems.length > 0) throw invalidFields(draft.problems);
    // A draft has no event, by which storage is asked for of every other record.
    requireStorage(context.actor.organization, 'making');

    const quote = {
      ...quotes.valuesOf(body),
      id: newId(),
      number: `Q-${draft.today.slice(0, 4)}-${draft.digits}`,
      status: 'draft',
      currency: draft.currency,
      ...draft.counterparty,
      ...draft.totals,
      created_at: now,
      updated_at: now,
    } as const;
    const row = await quotes.insertWhole(context, quote, { joined: draft.names });
    const made = await quotes.recordOf(context, row);
    // A draft has no event; this refuses now what its first event could not carry.
    requireSendable(made);
    return made;
  },
  { further },
);

/** References that do not exist, and sums that exceed the largest amount. */
async function further(
  reading: Pick<ReadContext, 'sql' | 'organization' | 'directory'>,
  refused: Refused<InputOf<'quotes.create'>['body']>,
): Promise<FieldProblem[]> {
  const { client_id: client, company_id: company, lead_id: lead } = refused.part;
  const { currency } = await reading.directory();
  const { problems } = await findCounterparty(reading, client, company);
  return [
    ...problems,
    ...(await leadProblems(reading, lead)),
    ...furtherTotals(refused, refused.part.currency ?? currency),
  ];
}

async function leadProblems(
  { sql, organization }: Pick<ReadContext, 'sql' | 'organization'>,
  leadId: string | null | undefined,
): Promise<FieldProblem[]> {
  if (!leadId) return [];
  const [lead] = await sql`select 1 from leads where organization_id = ${organization} and id = ${leadId}`;
  return lead ? [] : [{ path: 'lead_id', key: 'field.not_found' }];
}

type QuoteStep = 'quotes.send' | 'quotes.accept' | 'quotes.reject';

/** The state that each step of a quote starts from. */
const stepsFrom: Readonly<Record<QuoteStep, Quote['status']>> = {
  'quotes.send': 'draft',
  'quotes.accept': 'sent',
  'quotes.reject': 'sent',
};

/** What can be done with a quote as it is. */
export const possibleQuoteSteps = ({ status }: Pick<Quote, 'status'>): QuoteStep[] =>
  (['quotes.send', 'quotes.accept', 'quotes.reject'] as const).filter((step) => stepsFrom[step] === status);

/** A step of a quote: which one, what it writes, what it is called. */
interface Step {
  readonly id: QuoteStep;
  readonly event?: EventType;
  changes(now: string): Parameters<typeof quotes.update>[2];
}

/** Takes a quote one step further. Raises NOT_FOUND, and CONFLICT in any other state than it starts from. */
async function changeQuote(context: Changing, id: string, step: Step): Promise<Quote> {
  const before = await quotes.lock(context, id);
  if (before.status !== stepsFrom[step.id]) throw new Problem('record.wrong_state', { state: before.status });
  const changedAt = laterOf(context.now, before.updated_at);
  const row = await quotes.update(context, before, { ...step.changes(changedAt), updated_at: changedAt });
  const changed = await quotes.recordOf(context, row);
  if (step.event) context.emit(step.event, changed);
  return changed;
}

/** The catalog has no event for it. */
export const sendQuote = writes('quotes.send', (context, { path }) =>
  changeQuote(context, path.id, { id: 'quotes.send', changes: () => ({ status: 'sent' }) }),
);

export const acceptQuote = writes('quotes.accept', (context, { path }) =>
  changeQuote(context, path.id, {
    id: 'quotes.accept',
    event: 'quote.accepted',
    changes: (now) => ({ status: 'accepted', accepted_at: now }),
  }),
);

export const rejectQuote = writes('quotes.reject', (context, { path }) =>
  changeQuote(context, path.id, {
    id: 'quotes.reject',
    event: 'quote.rejected',
    changes: (now) => ({ status: 'rejected', rejected_at: now }),
  }),
);
