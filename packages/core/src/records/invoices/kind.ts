import { column, field } from '../../change/record-tables/erased.ts';
import type { RecordKind } from '../../change/record-tables/record-kind.ts';
import { overviewOfInvoices } from './overview.ts';
import { countInvoices, getInvoice, invoices, listInvoices, sumInvoices } from './record.ts';
import { cancelInvoice, createInvoice, markOverdue, payInvoice } from './write.ts';

export const invoice = {
  table: invoices,
  verbs: {
    'invoices.list': listInvoices,
    'invoices.count': countInvoices,
    'invoices.sum': sumInvoices,
    'invoices.create': createInvoice,
    'invoices.get': getInvoice,
    'invoices.overview': overviewOfInvoices,
    'invoices.pay': payInvoice,
    'invoices.cancel': cancelInvoice,
    'invoices.mark-overdue': markOverdue,
  },
  erased: {
    with: [
      { kind: 'company', column: 'company_id' },
      { kind: 'client', column: 'client_id' },
    ],
    columns: { note: column.nothing },
    fields: { counterparty: { fields: { name: field.text } } },
  },
} as const satisfies RecordKind;
