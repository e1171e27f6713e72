import * as field from '../scalars.ts';
import { appUrl, createdAt, id, record, ref, updatedAt } from '../shapes.ts';
import { text } from '../text.ts';
import { InvoiceItem, totals } from './invoices.ts';

const moment = (en: string, sk: string) =>
  field.dateTime({ label: text(en, sk), example: '2026-10-01T13:05:09.480Z' });

export const quoteLabel = text('Quote', 'Cenová ponuka');

/** Quotes have no operations: the console makes them, events tell of them. */
export const Quote = record(
  'Quote',
  { label: quoteLabel },
  {
    id,
    number: field.string({ label: text('Number', 'Číslo'), example: 'Q-2026-0017' }).nullable(),
    status: field.choice({
      label: text('Status', 'Stav'),
      choices: {
        draft: text('Draft', 'Koncept'),
        sent: text('Sent', 'Odoslaná'),
        accepted: text('Accepted', 'Prijatá'),
        rejected: text('Rejected', 'Odmietnutá'),
      },
      example: 'sent',
    }),
    currency: field.currency({ label: text('Currency', 'Mena'), example: 'EUR' }),
    ...totals,
    valid_until: field.date({ label: text('Valid Until', 'Platí do'), example: '2026-10-31' }).nullable(),
    company: ref(text('Company', 'Firma'), {
      id: '01985f6e-2c41-7f21-a6d4-93b07c5e8812',
      name: 'Tatra Bikes s.r.o.',
    }).nullable(),
    client: ref(text('Client', 'Klient'), {
      id: '01985f6e-2c41-7e08-b1a7-5c9f20d6e344',
      name: 'Tatra Bikes s.r.o.',
    }).nullable(),
    lead: ref(text('Lead', 'Príležitosť'), {
      id: '01985f6e-2c41-7d3a-9b52-4f0c8a7e1d63',
      name: 'Fleet of 20 city bikes',
    }).nullable(),
    items: field.list(InvoiceItem, { label: text('Items', 'Položky') }),
    accepted_at: moment('Accepted At', 'Prijatá').nullable(),
    rejected_at: moment('Rejected At', 'Odmietnutá').nullable(),
    created_at: createdAt,
    updated_at: updatedAt,
    app_url: appUrl,
  },
);
