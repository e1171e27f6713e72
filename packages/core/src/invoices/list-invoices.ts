import { containsPattern, listPage } from '../lists/list-page.ts';
import { reads } from '../verb/verb.ts';
import { invoiceRecord, invoiceRows } from './invoice-record.ts';

export const listInvoices = reads('invoices.list', (context, { query }) => {
  const { core, sql } = context;
  return listPage(context, query, {
    id: 'invoices.list',
    alias: 'i',
    weight: sql`octet_length(i.items::text)`,
    sorts: {
      issued_date: { column: 'issued_date', type: 'date', nullable: true },
      due_date: { column: 'due_date', type: 'date', nullable: true },
      total: { column: 'total', type: 'numeric' },
    },
    filters: {
      q: (text) => sql`i.number ilike ${containsPattern(text)}`,
      status: (status) => sql`i.status = ${status}`,
      is_paid: (paid) => (paid ? sql`i.status = 'paid'` : sql`i.status <> 'paid'`),
      is_overdue: (overdue) => (overdue ? sql`i.status = 'overdue'` : sql`i.status <> 'overdue'`),
      client_id: (id) => sql`i.client_id = ${id}`,
      company_id: (id) => sql`i.company_id = ${id}`,
      variable_symbol: (symbol) => sql`i.variable_symbol = ${symbol}`,
    },
    rows: ({ where, order, sortValue, limit }) =>
      invoiceRows(sql, sql`${where} order by ${order} limit ${limit}`, sortValue),
    items: (rows) => rows.map((row) => invoiceRecord(row, core)),
  });
});
