import type { EventType, Quote } from '@dealkeep/contract';
import { laterOf } from '../clock.ts';
import type { Core } from '../core.ts';
import { notFound, Problem } from '../problem.ts';
import { type OrganizationName, transact } from '../verb/transact.ts';
import type { Changing } from '../verb/verb.ts';
import { type QuoteColumns, readQuote } from './quote-record.ts';

/** A step of a quote: the state that it starts from, what it writes, what it is called. */
interface Step {
  readonly from: Quote['status'];
  readonly event?: EventType;
  changes(now: string): Pick<QuoteColumns, 'status'> & { accepted_at?: string; rejected_at?: string };
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
  const { sql, organization, now } = context;
  const [row] = await sql<Pick<QuoteColumns, 'status' | 'updated_at'>[]>`
    select status, updated_at from quotes
    where organization_id = ${organization} and id = ${id} for no key update`;
  if (!row) throw notFound();
  if (row.status !== step.from) throw new Problem('record.wrong_state', { state: row.status });
  const changedAt = laterOf(now, row.updated_at);
  await sql`
    update quotes set ${sql({ ...step.changes(changedAt), updated_at: changedAt })}
    where organization_id = ${organization} and id = ${id}`;
  const changed = await readQuote(context, id);
  if (step.event) context.emit(step.event, changed);
  return changed;
}

const decision =
  (step: Step) =>
  (core: Core, organization: OrganizationName, { id }: { id: string }): Promise<Quote> =>
    transact(core, organization, (context) => changeQuote(context, id, step));

/** Says that a draft was sent to the customer; the catalog has no event for it. Raises NOT_FOUND or CONFLICT. */
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
