import { randomUUIDv7 } from 'node:crypto';
import { CreateQuote, type FieldProblem, type Quote } from '@dealkeep/contract';
import type * as z from 'zod';
import type { Core } from '../core.ts';
import { nextNumber } from '../document-numbers/next-number.ts';
import { requireSendable } from '../events/require-sendable.ts';
import { findCounterparty } from '../invoices/counterparty.ts';
import { furtherTotals, sumLines } from '../invoices/line-totals.ts';
import { invalidFields } from '../problem.ts';
import { checkInputThroughout, problemsThroughout } from '../verb/check-input.ts';
import type { Refused } from '../verb/further-problems.ts';
import { type Once, type OrganizationName, transact } from '../verb/transact.ts';
import type { Changing, Scope } from '../verb/verb.ts';
import { type QuoteColumns, readQuote } from './quote-record.ts';

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
      const { problems: unknown, ...counterparty } = await findCounterparty(
        context,
        body.client_id,
        body.company_id,
      );
      const { problems: tooBig, ...totals } = await sumLines(context, body.items);
      const problems = [...unknown, ...(await leadProblems(context, body.lead_id)), ...tooBig];
      if (problems.length > 0) throw invalidFields(problems);

      const year = await yearOf(context, timeZone);
      const sequence = String(await nextNumber(context, 'quote', year)).padStart(4, '0');
      const quote: Omit<QuoteColumns, 'items'> = {
        id: randomUUIDv7(),
        number: `Q-${year}-${sequence}`,
        status: 'draft',
        currency: body.currency ?? currency,
        subtotal: totals.subtotal,
        vat_amount: totals.vat_amount,
        total: totals.total,
        valid_until: body.valid_until ?? null,
        ...counterparty,
        lead_id: body.lead_id ?? null,
        accepted_at: null,
        rejected_at: null,
        created_at: now,
        updated_at: now,
      };
      const items = sql.json(totals.items);
      await sql`insert into quotes ${sql({ organization_id: organization.id, ...quote, items })}`;
      const made = await readQuote(context, quote.id);
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

/** Whom and what it is for, that there is not, and what comes to too much. */
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

/** The year of today in the organization's time zone. */
async function yearOf({ sql, now }: Changing, timeZone: string): Promise<number> {
  const [today] = await sql<{ year: number }[]>`
    select extract(year from ${now}::timestamptz at time zone ${timeZone})::integer as year`;
  if (!today) throw new Error('Unreachable: the statement answers one row');
  return today.year;
}
