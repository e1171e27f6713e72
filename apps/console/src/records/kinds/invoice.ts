import { type Invoice, text } from '@dealkeep/contract';
import { possibleInvoiceSteps } from '@dealkeep/core/records';
import { invoiceBegins } from '../beginnings.ts';
import { invoiceForSomebody } from '../form-rules.ts';
import { columnLabels, customerColumn, dueColumn, firstKnown } from '../list-cells.ts';
import type { Presentation } from '../presentation.ts';

export const invoice: Presentation = {
  resource: 'invoice',
  path: '/invoices',
  icon: 'file-text',
  group: 'sales',
  key: 'i',
  object: text('the invoice', 'faktúru'),
  createLabel: text('Create invoice', 'Vytvoriť faktúru'),
  names: ['number', 'counterparty.name'],
  columns: [
    'number',
    customerColumn(columnLabels.customer, ['counterparty'], (record) =>
      firstKnown(record, { 'counterparty.client': '/clients', 'counterparty.company': '/companies' }),
    ),
    'status',
    'total',
    'remaining_amount',
    'issued_date',
    dueColumn(columnLabels.due, 'due_date', ({ status }) => status !== 'paid' && status !== 'cancelled'),
  ],
  labels: {
    number: text('Invoice no.', 'Číslo faktúry'),
    counterparty: columnLabels.customer,
    'counterparty.name': columnLabels.customer,
    issued_date: text('Issued', 'Vystavená'),
    due_date: text('Due', 'Splatná'),
    subtotal: text('Without VAT', 'Bez DPH'),
    vat_amount: text('VAT', 'DPH'),
    total: text('To pay', 'Na úhradu'),
    remaining_amount: text('Still to pay', 'Zostáva uhradiť'),
    'items.name': text('Item', 'Položka'),
    'items.total': text('Total', 'Spolu'),
    'items.vat_rate': text('VAT', 'DPH'),
    'items.unit_price': text('Price each', 'Cena za kus'),
    note: text('Notes', 'Poznámky'),
  },
  form: [
    { fields: ['client_id', 'company_id'] },
    { fields: ['issued_date', 'due_date'] },
    { fields: ['items'] },
  ],
  more: ['currency', 'note'],
  begins: invoiceBegins,
  unexplained: ['issued_date', 'due_date', 'currency'],
  page: [
    {
      heading: text('Invoice', 'Faktúra'),
      fields: ['number', 'status', 'counterparty', 'issued_date', 'due_date', 'paid_at', 'variable_symbol'],
    },
    { heading: text('Items', 'Položky'), fields: ['items'] },
    {
      heading: text('Sums', 'Súčty'),
      fields: ['subtotal', 'vat_amount', 'total', 'remaining_amount', 'currency'],
    },
    { heading: text('About', 'O faktúre'), fields: ['created_at', 'updated_at'] },
  ],
  leftOut: {
    page: {
      id: 'the address of the page holds it',
      app_url: 'it is this page',
      is_paid: 'the state says it',
      is_overdue: 'the state says it',
    },
  },
  rules: [invoiceForSomebody],
  teaches: text(
    'What you asked to be paid, and what of it has arrived.',
    'Čo ste vyfakturovali a čo z toho prišlo.',
  ),
  automates: text(
    'An automation in Zapier, n8n or Activepieces can send each to your accountant, or make one when a lead is won.',
    'Automatizácia v Zapieri, n8n alebo Activepieces ju môže poslať účtovníčke alebo vytvoriť, keď je príležitosť vyhratá.',
  ),
  possible: (record) => possibleInvoiceSteps(record as Invoice),
  life: { states: [['draft'], ['issued', 'overdue'], ['paid']], next: ['invoices.pay'] },
  views: [
    { name: text('Overdue', 'Po splatnosti'), query: 'is_overdue=true&sort=due_date' },
    { name: text('Unpaid', 'Neuhradené'), query: 'sort=due_date&status=issued,overdue' },
  ],
};
