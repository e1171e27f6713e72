import type { InvoiceItem, ListQuotes, Quote } from '@dealkeep/contract';
import type * as z from 'zod';
import type { Core } from '../core.ts';
import type { Fragment, Statements } from '../database/connect.ts';
import { lineRecord } from '../invoices/record.ts';
import { containsPattern, listPage } from '../paging/list-page.ts';
import { notFound } from '../problem.ts';
import type { Page, Scope } from '../verb/verb.ts';

/** The quote's own columns. */
export interface QuoteColumns {
  id: string;
  number: string | null;
  status: Quote['status'];
  currency: string;
  subtotal: number;
  vat_amount: number;
  total: number;
  valid_until: string | null;
  company_id: string | null;
  client_id: string | null;
  lead_id: string | null;
  items: InvoiceItem[];
  accepted_at: string | null;
  rejected_at: string | null;
  created_at: string;
  updated_at: string;
}

interface QuoteRow extends QuoteColumns {
  company_name: string | null;
  /** An unnamed lead's name is an empty text. */
  lead_name: string;
  sort_value: string | null;
}

/** Rows of quotes (alias `q`) with what their records need. */
const quoteRows = (sql: Statements, rest: Fragment, sortValue: Fragment = sql`null`) =>
  sql<QuoteRow[]>`
    select q.id, q.number, q.status, q.currency, q.subtotal, q.vat_amount, q.total, q.valid_until, q.company_id,
           q.client_id, q.lead_id, q.items, q.accepted_at, q.rejected_at, q.created_at, q.updated_at,
           c.name as company_name, coalesce(l.name, '') as lead_name, ${sortValue} as sort_value
    from quotes q
    left join companies c on c.organization_id = q.organization_id and c.id = q.company_id
    left join leads l on l.organization_id = q.organization_id and l.id = q.lead_id
    where ${rest}`;

const quoteRecord = (row: QuoteRow, core: Core): Quote => ({
  id: row.id,
  number: row.number,
  status: row.status,
  currency: row.currency,
  subtotal: row.subtotal,
  vat_amount: row.vat_amount,
  total: row.total,
  valid_until: row.valid_until,
  company: row.company_id === null ? null : { id: row.company_id, name: row.company_name ?? '' },
  client: row.client_id === null ? null : { id: row.client_id, name: row.company_name ?? '' },
  lead: row.lead_id === null ? null : { id: row.lead_id, name: row.lead_name },
  items: row.items.map(lineRecord),
  accepted_at: row.accepted_at,
  rejected_at: row.rejected_at,
  created_at: row.created_at,
  updated_at: row.updated_at,
  app_url: `${core.origin}/quotes/${row.id}`,
});

/** A quote as its events carry it. Raises NOT_FOUND. */
export async function readQuote({ core, sql, organization }: Scope, id: string): Promise<Quote> {
  const [row] = await quoteRows(sql, sql`q.organization_id = ${organization} and q.id = ${id}`);
  if (!row) throw notFound();
  return quoteRecord(row, core);
}

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
