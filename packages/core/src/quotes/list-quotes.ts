import type { ListQuotes, Quote } from '@dealkeep/contract';
import type * as z from 'zod';
import { containsPattern, listPage } from '../lists/list-page.ts';
import type { Page, Scope } from '../verb/verb.ts';
import { quoteRecord, quoteRows } from './quote-record.ts';

/** A page of quotes, which the API has no operation for. Raises INVALID_CURSOR. */
export function listQuotes(scope: Scope, query: z.output<typeof ListQuotes>): Promise<Page<Quote>> {
  const { core, sql } = scope;
  return listPage(scope, query, {
    id: 'quotes.list',
    alias: 'q',
    weight: sql`octet_length(q.items::text)`,
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
    rows: ({ where, order, sortValue, limit }) =>
      quoteRows(sql, sql`${where} order by ${order} limit ${limit}`, sortValue),
    items: (rows) => rows.map((row) => quoteRecord(row, core)),
  });
}
