import type { Invoice, InvoiceItem } from '@dealkeep/contract';
import type { Core } from '../core.ts';
import type { Fragment, Statements } from '../database/connect.ts';
import { notFound } from '../problem.ts';
import type { Scope } from '../verb/verb.ts';

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

export interface InvoiceRow extends InvoiceColumns {
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
