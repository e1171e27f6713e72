import type { Invoice, InvoiceItem } from '@dealkeep/contract';
import type { Core } from '../core.ts';
import type { Fragment, Statements } from '../database/connect.ts';
import { containsPattern, listPage } from '../paging/list-page.ts';
import { notFound } from '../problem.ts';
import { type Changing, reads, type Scope } from '../verb/verb.ts';

/** The invoice's own columns that the API shows or changes. */
export interface InvoiceColumns {
  id: string;
  number: string | null;
  status: Invoice['status'];
  currency: string;
  issued_date: string | null;
  due_date: string | null;
  paid_at: string | null;
  subtotal: number;
  vat_amount: number;
  total: number;
  variable_symbol: string | null;
  client_id: string | null;
  company_id: string | null;
  items: InvoiceItem[];
  created_at: string;
  updated_at: string;
}

interface InvoiceRow extends InvoiceColumns {
  remaining_amount: number;
  company_name: string | null;
  sort_value: string | null;
}

/** Rows of invoices (alias `i`) with what their records need. Of a cancelled one nothing is left to pay. */
export const invoiceRows = (sql: Statements, rest: Fragment, sortValue: Fragment = sql`null`) =>
  sql<InvoiceRow[]>`
    select i.id, i.number, i.status, i.currency, i.issued_date, i.due_date, i.paid_at, i.subtotal, i.vat_amount,
           i.total, i.variable_symbol, i.client_id, i.company_id, i.items, i.created_at, i.updated_at,
           case when i.status = 'cancelled' then 0 else i.total - i.paid_amount end as remaining_amount,
           c.name as company_name, ${sortValue} as sort_value
    from invoices i
    left join companies c on c.organization_id = i.organization_id and c.id = i.company_id
    where ${rest}`;

export const invoiceRecord = (row: InvoiceRow, core: Core): Invoice => ({
  id: row.id,
  number: row.number,
  status: row.status,
  currency: row.currency,
  issued_date: row.issued_date,
  due_date: row.due_date,
  paid_at: row.paid_at,
  is_paid: row.status === 'paid',
  is_overdue: row.status === 'overdue',
  subtotal: row.subtotal,
  vat_amount: row.vat_amount,
  total: row.total,
  remaining_amount: row.remaining_amount,
  variable_symbol: row.variable_symbol,
  counterparty: {
    client: row.client_id === null ? null : { id: row.client_id, name: row.company_name ?? '' },
    company: row.company_id === null ? null : { id: row.company_id, name: row.company_name ?? '' },
    name: row.company_name,
  },
  items: row.items.map(lineRecord),
  created_at: row.created_at,
  updated_at: row.updated_at,
  app_url: `${core.origin}/invoices/${row.id}`,
});

/** A line in the contract's order of keys; the database keeps another. */
export const lineRecord = ({
  name,
  quantity,
  unit,
  unit_price,
  vat_rate,
  total,
}: InvoiceItem): InvoiceItem => ({
  name,
  quantity,
  unit,
  unit_price,
  vat_rate,
  total,
});

/** An invoice as GET answers it. Raises NOT_FOUND. */
export async function readInvoice({ core, sql, organization }: Scope, id: string): Promise<Invoice> {
  const [row] = await invoiceRows(sql, sql`i.organization_id = ${organization} and i.id = ${id}`);
  if (!row) throw notFound();
  return invoiceRecord(row, core);
}

export const getInvoice = reads('invoices.get', (context, { path }) => readInvoice(context, path.id));

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

interface LockedInvoice {
  status: Invoice['status'];
  paid_amount: number;
  /** What of the total has not been paid. */
  unpaid_amount: number;
  updated_at: string;
}

/** How an invoice stands, locked until the transaction ends. Raises NOT_FOUND. */
export async function lockInvoice({ sql, organization }: Changing, id: string): Promise<LockedInvoice> {
  const [row] = await sql<LockedInvoice[]>`
    select status, paid_amount, total - paid_amount as unpaid_amount, updated_at from invoices
    where organization_id = ${organization} and id = ${id} for no key update`;
  if (!row) throw notFound();
  return row;
}
