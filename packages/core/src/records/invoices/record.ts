import { type Invoice, type InvoiceItem, resources } from '@dealkeep/contract';
import { countRecords, listRecords, recordList } from '../../change/paging/list-page.ts';
import { contains } from '../../change/paging/search.ts';
import { monthOf, sumRecords } from '../../change/paging/sum-records.ts';
import {
  date,
  defineRecord,
  json,
  moment,
  number,
  oneOf,
  text,
  uuid,
} from '../../change/record-tables/define-record.ts';
import { type ReadContext, reads } from '../../change/verb/verb.ts';
import { amountText } from '../../foundations/numbers/amount-text.ts';
import { reference } from '../../identity/reference-data/reference-data.ts';

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

export const invoices = defineRecord({
  schema: resources.invoice.schema,
  table: 'invoices',
  alias: 'i',
  columns: {
    id: uuid,
    number: text.orNull,
    status: oneOf<Invoice['status']>(),
    currency: text,
    issued_date: date.orNull,
    due_date: date.orNull,
    paid_at: moment.orNull,
    subtotal: number,
    vat_amount: number,
    total: number,
    paid_amount: number,
    variable_symbol: text.orNull,
    client_id: uuid.orNull,
    company_id: uuid.orNull,
    items: json<InvoiceItem[]>(),
    note: text.orNull,
    created_at: moment,
    updated_at: moment,
  },
  searched: {
    texts: ['number'],
    identifiers: ['number', 'variable_symbol'],
    subtitle: `concat_ws(' · ', c.name, ${amountText('i.total', 'i.currency')} || ' ' || i.currency)`,
  },
  joined: {
    company_name: text.orNull.from('c.name'),
    unpaid_amount: number.from('i.total - i.paid_amount'),
  },
  joins: {
    c: {
      kind: 'company',
      table: 'companies',
      on: 'c.organization_id = i.organization_id and c.id = i.company_id',
    },
  },
  shown: (row, { core }) => ({
    is_paid: row.status === 'paid',
    is_overdue: row.status === 'overdue',
    // Of a cancelled one nothing is left to pay.
    remaining_amount: row.status === 'cancelled' ? 0 : row.unpaid_amount,
    counterparty: {
      client: reference(row.client_id, row.company_name),
      company: reference(row.company_id, row.company_name),
      name: row.company_name,
    },
    items: row.items.map(lineRecord),
    app_url: `${core.origin}/invoices/${row.id}`,
  }),
});

export const getInvoice = reads('invoices.get', (context, { path }) => invoices.get(context, path.id));

const invoiceList = (context: ReadContext) => {
  const { sql } = context;
  return recordList({
    id: 'invoices.list',
    record: invoices,
    sorts: {
      issued_date: { column: 'issued_date', type: 'date', nullable: true },
      due_date: { column: 'due_date', type: 'date', nullable: true },
      total: { column: 'total', type: 'numeric' },
    },
    filters: {
      q: (text) => contains(sql, text, ...invoices.searchedTexts),
      status: (status) => sql`i.status = ${status}`,
      // As lists: two equalities that exclude each other (`status=draft&is_paid=true`) are a constant for
      // PostgreSQL, which Citus 13 refuses.
      is_paid: (paid) => (paid ? sql`i.status = any('{paid}')` : sql`i.status <> 'paid'`),
      is_overdue: (overdue) => (overdue ? sql`i.status = any('{overdue}')` : sql`i.status <> 'overdue'`),
      client_id: (id) => sql`i.client_id = ${id}`,
      company_id: (id) => sql`i.company_id = ${id}`,
      variable_symbol: (symbol) => sql`i.variable_symbol = ${symbol}`,
    },
    items: (rows) => invoices.records(context, rows),
  });
};

export const listInvoices = reads('invoices.list', (context, { query }) =>
  listRecords(context, query, invoiceList(context)),
);

export const countInvoices = reads('invoices.count', (context, { query }) =>
  countRecords(context, query, invoiceList(context)),
);

export const sumInvoices = reads('invoices.sum', async (context, { query: { by, ...query } }) => {
  const { sql } = context;
  const referenceData = await context.referenceData();
  return sumRecords(context, { by, query }, invoiceList(context), {
    amount: sql`i.total`,
    remaining: sql`case when i.status = 'cancelled' then 0 else i.total - i.paid_amount end`,
    currency: sql`i.currency`,
    groupings: {
      status: { of: sql`i.status` },
      company: { of: sql`i.company_id`, named: 'companies' },
      issued_month: { of: monthOf.date(sql, 'i.issued_date') },
      due_month: { of: monthOf.date(sql, 'i.due_date') },
      paid_month: { of: monthOf.moment(sql, 'i.paid_at', referenceData) },
    },
  });
});
