import { type InvoiceItem, type ListQuotes, type Quote, resources } from '@dealkeep/contract';
import type * as z from 'zod';
import { date, defineRecord, json, moment, number, oneOf, text, uuid } from '../database/define-record.ts';
import { reference } from '../directory/directory.ts';
import { lineRecord } from '../invoices/record.ts';
import { containsPattern, listRecords } from '../paging/list-page.ts';
import type { Page, Scope } from '../verb/verb.ts';

export const quotes = defineRecord({
  schema: resources.quote.schema,
  table: 'quotes',
  alias: 'q',
  columns: {
    id: uuid,
    number: text.orNull,
    status: oneOf<Quote['status']>(),
    currency: text,
    subtotal: number,
    vat_amount: number,
    total: number,
    valid_until: date.orNull,
    company_id: uuid.orNull,
    client_id: uuid.orNull,
    lead_id: uuid.orNull,
    items: json<InvoiceItem[]>(),
    accepted_at: moment.orNull,
    rejected_at: moment.orNull,
    created_at: moment,
    updated_at: moment,
  },
  joined: {
    company_name: text.orNull.from('c.name'),
    lead_name: text.orNull.from('l.name'),
  },
  joins: `
    left join companies c on c.organization_id = q.organization_id and c.id = q.company_id
    left join leads l on l.organization_id = q.organization_id and l.id = q.lead_id`,
  shown: (row, { core }) => ({
    company: reference(row.company_id, row.company_name),
    client: reference(row.client_id, row.company_name),
    lead: reference(row.lead_id, row.lead_name),
    items: row.items.map(lineRecord),
    app_url: `${core.origin}/quotes/${row.id}`,
  }),
});

/** A quote as its events carry it. Raises NOT_FOUND. */
export const readQuote = (scope: Scope, id: string): Promise<Quote> => quotes.get(scope, id);

/** A page of quotes, which the API has no operation for. Raises INVALID_CURSOR. */
export function listQuotes(scope: Scope, query: z.output<typeof ListQuotes>): Promise<Page<Quote>> {
  const { sql } = scope;
  return listRecords(scope, query, {
    id: 'quotes.list',
    record: quotes,
    sorts: {
      valid_until: { column: 'valid_until', type: 'date', nullable: true },
      total: { column: 'total', type: 'numeric' },
    },
    filters: {
      q: (text) => sql`q.number ilike ${containsPattern(text)}`,
      status: (status) => sql`q.status = ${status}`,
      client_id: (id) => sql`q.client_id = ${id}`,
      company_id: (id) => sql`q.company_id = ${id}`,
      lead_id: (id) => sql`q.lead_id = ${id}`,
    },
    items: (rows) => quotes.records(scope, rows),
  });
}
