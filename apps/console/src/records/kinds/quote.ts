import { type Quote, text } from '@dealkeep/contract';
import { possibleQuoteSteps } from '@dealkeep/core/records';
import { quoteBegins } from '../beginnings.ts';
import { quoteForSomebody } from '../form-rules.ts';
import { columnLabels, customerColumn, dueColumn, firstKnown } from '../list-cells.ts';
import type { Presentation } from '../presentation.ts';

export const quote: Presentation = {
  resource: 'quote',
  path: '/quotes',
  icon: 'file-pen-line',
  group: 'sales',
  key: 'q',
  object: text('the quote', 'cenovú ponuku'),
  createLabel: text('Create quote', 'Vytvoriť cenovú ponuku'),
  names: ['number', 'client.name', 'company.name'],
  columns: [
    'number',
    customerColumn(columnLabels.customer, ['client', 'company'], (record) =>
      firstKnown(record, { client: '/clients', company: '/companies' }),
    ),
    'lead',
    'status',
    'total',
    dueColumn(text('Valid until', 'Platí do'), 'valid_until', ({ status }) => status === 'sent'),
    'created_at',
  ],
  labels: {
    number: text('Quote no.', 'Číslo ponuky'),
    subtotal: text('Without VAT', 'Bez DPH'),
    vat_amount: text('VAT', 'DPH'),
    total: text('Total', 'Spolu'),
    'items.name': text('Item', 'Položka'),
    'items.total': text('Total', 'Spolu'),
    'items.vat_rate': text('VAT', 'DPH'),
    'items.unit_price': text('Price each', 'Cena za kus'),
  },
  form: [{ fields: ['client_id', 'company_id', 'lead_id', 'valid_until'] }, { fields: ['items'] }],
  more: ['currency'],
  begins: quoteBegins,
  unexplained: ['currency'],
  page: [
    {
      heading: text('Quote', 'Ponuka'),
      fields: ['number', 'status', 'client', 'company', 'lead', 'valid_until', 'accepted_at', 'rejected_at'],
    },
    { heading: text('Items', 'Položky'), fields: ['items'] },
    { heading: text('Sums', 'Súčty'), fields: ['subtotal', 'vat_amount', 'total', 'currency'] },
    { heading: text('About', 'O ponuke'), fields: ['created_at', 'updated_at'] },
  ],
  leftOut: {
    page: { id: 'the address of the page holds it', app_url: 'it is this page' },
  },
  rules: [quoteForSomebody],
  teaches: text(
    'What you offered, at which price, and what the customer said.',
    'Čo ste ponúkli, za akú cenu a čo povedal zákazník.',
  ),
  automates: text(
    'An automation in Zapier, n8n or Activepieces can tell your chat when one is accepted, or make the invoice of it.',
    'Automatizácia v Zapieri, n8n alebo Activepieces môže prijatie oznámiť v chate alebo z nej vytvoriť faktúru.',
  ),
  possible: (record) => possibleQuoteSteps(record as Quote),
  life: {
    states: [['draft'], ['sent'], ['accepted', 'rejected']],
    next: ['quotes.send', 'quotes.accept'],
  },
  views: [{ name: text('Waiting for an answer', 'Čakajú na odpoveď'), query: 'status=sent' }],
};
