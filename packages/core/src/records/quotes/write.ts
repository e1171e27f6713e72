import type { EventType, Quote } from '@dealkeep/contract';
import { requireSendable } from '../../change/events/outbox.ts';
import { type Changing, writes } from '../../change/verb/verb.ts';
import { laterOf } from '../../foundations/clock.ts';
import { newId } from '../../foundations/database/new-id.ts';
import { invalidFields, Problem } from '../../foundations/problem.ts';
import { requireStorage } from '../../identity/tenancy/measure-storage.ts';
import { amountsOf, draftDocument } from '../invoices/document.ts';
import { quotes } from './record.ts';

/**
 * Makes a draft under the next number of the year, `Q-YYYY-NNNN`; the catalog has no event for it. Lines are summed
 * up as those of an invoice.
 */
export const createQuote = writes('quotes.create', {
  async check(context, sent) {
    const draft = await draftDocument(context, sent, { series: 'quote' });
    if (draft.problems.length > 0) throw invalidFields(draft.problems);
    return draft;
  },

  async run(context, { body }, draft) {
    const { now } = context;
    // A draft has no event, by which storage is asked for of every other record.
    requireStorage(context.actor.organization, 'making');

    const quote = {
      ...quotes.valuesOf(body),
      id: newId(),
      number: `Q-${draft.today.slice(0, 4)}-${draft.digits}`,
      status: 'draft',
      currency: draft.currency,
      ...draft.counterparty,
      ...amountsOf(body.items, draft.sums),
      created_at: now,
      updated_at: now,
    } as const;
    const row = await quotes.insertWhole(context, quote, { joined: draft.names });
    const made = await quotes.recordOf(context, row);
    // A draft has no event; this refuses now what its first event could not carry.
    requireSendable(made);
    return made;
  },
});

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
