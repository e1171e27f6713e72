import { leftOut } from '../field.ts';
import { listQuery, search } from '../list-query.ts';
import * as field from '../scalars.ts';
import { appUrlOf, body, createdAt, exampleRef, idOf, record, ref, updatedAt } from '../shapes.ts';
import { text } from '../text.ts';
import { InvoiceItem, newItems, totals } from './invoices.ts';

const moment = (en: string, sk: string) =>
  field.dateTime({ label: text(en, sk), example: '2026-10-01T13:05:09.480Z' });

const texts = {
  company: text('Company', 'Firma'),
  client: text('Client', 'Klient'),
  lead: text('Lead', 'Príležitosť'),
};
const currencyText = {
  label: text('Currency', 'Mena'),
  help: text('Three-letter code (ISO 4217).', 'Trojpísmenový kód (ISO 4217).'),
  example: 'EUR',
};
const validUntil = field.date({ label: text('Valid Until', 'Platí do'), example: '2026-10-31' });

const status = field.choice({
  label: text('Status', 'Stav'),
  choices: {
    draft: text('Draft', 'Koncept'),
    sent: text('Sent', 'Odoslaná'),
    accepted: text('Accepted', 'Prijatá'),
    rejected: text('Rejected', 'Odmietnutá'),
  },
  example: 'sent',
});
const clientId = field.reference('client', { label: texts.client });
const companyId = field.reference('company', { label: texts.company });
const leadId = field.reference('lead', { label: texts.lead });

export const quoteLabel = text('Quote', 'Cenová ponuka');

/** Quotes have no operations: the console makes them, events tell of them. */
export const Quote = record(
  'Quote',
  { label: quoteLabel },
  {
    id: idOf(exampleRef.quote),
    number: field.string({ label: text('Number', 'Číslo'), example: 'Q-2026-0017' }).nullable(),
    status,
    currency: field.keptCurrency(currencyText),
    ...totals,
    valid_until: validUntil.nullable(),
    company: ref(texts.company, exampleRef.company).nullable(),
    client: ref(texts.client, exampleRef.client).nullable(),
    lead: ref(texts.lead, exampleRef.lead).nullable(),
    items: field.list(InvoiceItem, { label: text('Items', 'Položky') }),
    accepted_at: moment('Accepted At', 'Prijatá').nullable(),
    rejected_at: moment('Rejected At', 'Odmietnutá').nullable(),
    created_at: createdAt,
    updated_at: updatedAt,
    app_url: appUrlOf('quotes', exampleRef.quote),
  },
);

/** A quote as the console makes it: a draft. */
export const CreateQuote = body(
  'QuoteCreate',
  { label: quoteLabel },
  {
    items: newItems,
    client_id: clientId.nullish(),
    company_id: companyId.nullish(),
    lead_id: leadId.nullish(),
    currency: leftOut(
      field.currency(currencyText).nullish(),
      text('The currency of the organization when not given.', 'Ak sa neuvedie, mena organizácie.'),
    ),
    valid_until: validUntil.nullish(),
  },
);

/** How the console lists quotes. */
export const ListQuotes = listQuery(
  {
    q: search(text('Part of the number.', 'Časť čísla.'), 'Q-2026-0017'),
    status: status.optional(),
    client_id: clientId.optional(),
    company_id: companyId.optional(),
    lead_id: leadId.optional(),
  },
  ['valid_until', 'total'],
);
