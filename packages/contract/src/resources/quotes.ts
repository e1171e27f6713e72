import { type EventDeclaration, sampleMoment } from '../event.ts';
import { leftOut } from '../field.ts';
import { listQuery, search } from '../list-query.ts';
import { consoleOperation } from '../operation.ts';
import type { RecordDeclaration } from '../resource.ts';
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

/** Quotes have no operations of the API: people make them, events tell of them. */
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

/** A quote as it is made: a draft. */
const CreateQuote = body(
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

const common = { resource: 'quote', answer: Quote } as const;
const read = {
  ...common,
  method: 'GET',
  permissions: ['budget.view'],
  errors: [],
} as const;
const step = {
  ...common,
  kind: 'action',
  method: 'POST',
  permissions: ['budget.edit'],
  shape: 'record',
  errors: ['CONFLICT'],
} as const;

export const quoteConsoleOperations = {
  'quotes.list': consoleOperation({
    ...read,
    id: 'quotes.list',
    kind: 'list',
    path: '/quotes',
    query: listQuery(
      {
        q: search(text('Part of the number.', 'Časť čísla.'), 'Q-2026-0017'),
        status: status.optional(),
        client_id: clientId.optional(),
        company_id: companyId.optional(),
        lead_id: leadId.optional(),
      },
      ['valid_until', 'total'],
    ),
    shape: 'list',
    title: text('List quotes', 'Zoznam cenových ponúk'),
    about: text('Quotes of the organization, page by page.', 'Cenové ponuky organizácie po stránkach.'),
  }),
  'quotes.get': consoleOperation({
    ...read,
    id: 'quotes.get',
    kind: 'get',
    path: '/quotes/{id}',
    shape: 'record',
    title: text('Get a quote', 'Zobraziť cenovú ponuku'),
    about: text('One quote.', 'Jedna cenová ponuka.'),
  }),
  'quotes.create': consoleOperation({
    ...common,
    id: 'quotes.create',
    kind: 'create',
    method: 'POST',
    path: '/quotes',
    permissions: ['budget.create', 'budget.edit'],
    body: CreateQuote,
    shape: 'record',
    errors: [],
    title: text('Create a quote', 'Vytvoriť cenovú ponuku'),
    about: text(
      'Makes a draft under the next number of the year.',
      'Vytvorí koncept pod ďalším číslom roka.',
    ),
  }),
  'quotes.send': consoleOperation({
    ...step,
    id: 'quotes.send',
    path: '/quotes/{id}/send',
    title: text('Mark a quote as sent', 'Označiť cenovú ponuku ako odoslanú'),
    about: text('Notes that the customer has it.', 'Zaznamená, že ju zákazník dostal.'),
    step: { label: text('Mark as sent', 'Označiť ako odoslanú'), asks: false },
  }),
  'quotes.accept': consoleOperation({
    ...step,
    id: 'quotes.accept',
    path: '/quotes/{id}/accept',
    emits: ['quote.accepted'],
    title: text('Mark a quote as accepted', 'Označiť cenovú ponuku ako prijatú'),
    about: text('The customer agreed. This cannot be taken back.', 'Zákazník súhlasil. Nedá sa to vrátiť.'),
    step: { label: text('Mark as accepted', 'Označiť ako prijatú'), asks: true },
  }),
  'quotes.reject': consoleOperation({
    ...step,
    id: 'quotes.reject',
    path: '/quotes/{id}/reject',
    emits: ['quote.rejected'],
    title: text('Mark a quote as rejected', 'Označiť cenovú ponuku ako odmietnutú'),
    about: text('The customer declined. This cannot be taken back.', 'Zákazník odmietol. Nedá sa to vrátiť.'),
    destructive: true,
    step: { label: text('Mark as rejected', 'Označiť ako odmietnutú'), asks: true },
  }),
};

const told = { entity: 'quote', scope: 'invoices:read' } as const;

const events = {
  'quote.accepted': {
    ...told,
    category: 'status',
    label: text('Quote accepted', 'Ponuka prijatá'),
    description: text('A quote was accepted.', 'Cenová ponuka bola prijatá.'),
    sample: { status: 'accepted', accepted_at: sampleMoment },
  },
  'quote.rejected': {
    ...told,
    category: 'status',
    label: text('Quote rejected', 'Ponuka odmietnutá'),
    description: text('A quote was rejected.', 'Cenová ponuka bola odmietnutá.'),
    sample: { status: 'rejected', rejected_at: sampleMoment },
  },
} as const satisfies Record<string, EventDeclaration>;

export const quote = {
  label: quoteLabel,
  plural: text('Quotes', 'Cenové ponuky'),
  schema: Quote,
  kind: 'record',
  collection: 'quotes',
  example: exampleRef.quote,
  scope: 'invoices:read',
  permission: 'budget.view',
  toolSet: 'billing',
  operations: {},
  consoleOperations: quoteConsoleOperations,
  events,
  calm: { accepted_at: null, rejected_at: null },
} as const satisfies RecordDeclaration;
