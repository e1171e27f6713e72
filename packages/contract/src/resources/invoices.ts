import * as z from 'zod';
import { type EventDeclaration, sampleMoment } from '../event.ts';
import { describe, leftOut } from '../field.ts';
import { listQuery, search } from '../list-query.ts';
import { consoleOperation, operation, systemOperation } from '../operation.ts';
import type { RecordDeclaration } from '../resource.ts';
import * as field from '../scalars.ts';
import { appUrlOf, body, createdAt, exampleRef, idOf, record, ref, updatedAt } from '../shapes.ts';
import { text } from '../text.ts';

const texts = { client: text('Client', 'Klient'), company: text('Company', 'Firma') };

const status = field.choice({
  label: text('Status', 'Stav'),
  choices: {
    draft: text('Draft', 'Koncept'),
    issued: text('Issued', 'Vystavená'),
    paid: text('Paid', 'Uhradená'),
    overdue: text('Overdue', 'Po splatnosti'),
    cancelled: text('Cancelled', 'Stornovaná'),
  },
  example: 'issued',
});
const number = field.string({ label: text('Number', 'Číslo'), example: '2026-0042' });
const currencyText = {
  label: text('Currency', 'Mena'),
  help: text('Three-letter code (ISO 4217).', 'Trojpísmenový kód (ISO 4217).'),
  example: 'EUR',
};
const issuedDate = field.date({
  label: text('Issued Date', 'Dátum vystavenia'),
  example: '2026-10-01',
});
/** An invoice is due so many days after its issue, unless it says otherwise (rule invoices 5). */
export const daysToPay = 14;
const dueDate = field.date({
  label: text('Due Date', 'Dátum splatnosti'),
  example: '2026-10-15',
});
const flag = (en: string, sk: string) => field.boolean({ label: text(en, sk), example: false });
const money = (en: string, sk: string, example: number) => field.money({ label: text(en, sk), example });
const variableSymbol = field.string({
  label: text('Variable Symbol', 'Variabilný symbol'),
  example: '20260042',
});

const item = {
  name: field.name({ label: text('Item Name', 'Názov položky'), example: 'City bike', max: 500 }),
  quantity: field.quantity({ label: text('Quantity', 'Množstvo'), example: 2 }),
  unit: field.string({ label: text('Unit', 'Jednotka'), example: 'pcs', max: 20 }),
  unit_price: field.amount({ label: text('Unit Price', 'Jednotková cena'), example: 450 }),
  vat_rate: field.percentage({
    label: text('VAT Rate', 'Sadzba DPH'),
    help: text('In percent.', 'V percentách.'),
    example: 23,
  }),
};

/** A line of an invoice or a quote. */
export const InvoiceItem = record(
  'InvoiceItem',
  { label: text('Item', 'Položka') },
  {
    name: item.name,
    quantity: item.quantity,
    unit: item.unit.nullable(),
    unit_price: item.unit_price,
    vat_rate: item.vat_rate.nullable(),
    total: money('Item Total', 'Spolu za položku', 900),
  },
);

/** The lines of an invoice or a quote that is made. */
export const newItems = field.list(
  body(
    'InvoiceItemCreate',
    { label: text('Item', 'Položka') },
    {
      name: item.name,
      unit_price: item.unit_price,
      quantity: leftOut(item.quantity.nullish(), text('1 when not given.', 'Ak sa neuvedie, 1.')),
      unit: item.unit.nullish(),
      vat_rate: leftOut(item.vat_rate.nullish(), text('0 when not given.', 'Ak sa neuvedie, 0.')),
    },
  ),
  { label: text('Items', 'Položky'), min: 1, max: 100 },
);

/** What an invoice and a quote both sum up to. */
export const totals = {
  subtotal: money('Subtotal', 'Základ', 900),
  vat_amount: money('VAT Amount', 'DPH', 207),
  total: money('Total', 'Spolu', 1107),
};

export const invoiceLabel = text('Invoice', 'Faktúra');

export const Invoice = record(
  'Invoice',
  { label: invoiceLabel },
  {
    id: idOf(exampleRef.invoice),
    number: number.nullable(),
    status,
    currency: field.keptCurrency(currencyText),
    issued_date: issuedDate.nullable(),
    due_date: dueDate.nullable(),
    paid_at: field
      .dateTime({ label: text('Paid At', 'Uhradená'), example: '2026-10-09T07:30:00.000Z' })
      .nullable(),
    is_paid: flag('Paid', 'Uhradená'),
    is_overdue: flag('Overdue', 'Po splatnosti'),
    ...totals,
    remaining_amount: money('Remaining Amount', 'Zostáva uhradiť', 1107),
    variable_symbol: variableSymbol.nullable(),
    counterparty: describe(
      z.object({
        client: ref(texts.client, exampleRef.client).nullable(),
        company: ref(texts.company, exampleRef.company).nullable(),
        name: describe(z.string(), {
          label: text('Counterparty Name', 'Odberateľ – názov'),
          example: 'Tatra Bikes s.r.o.',
          takenFrom: ['client', 'company'],
        }).nullable(),
      }),
      { label: text('Counterparty', 'Odberateľ'), id: 'InvoiceCounterparty' },
    ),
    items: field.list(InvoiceItem, { label: text('Items', 'Položky') }),
    created_at: createdAt.nullable(),
    updated_at: updatedAt.nullable(),
    app_url: appUrlOf('invoices', exampleRef.invoice),
  },
);

const clientId = field.reference('client', { label: texts.client });
const companyId = field.reference('company', { label: texts.company });

export const CreateInvoice = body(
  'InvoiceCreate',
  { label: invoiceLabel },
  {
    items: newItems,
    client_id: clientId.nullish(),
    company_id: companyId.nullish(),
    currency: leftOut(
      field.currency(currencyText).nullish(),
      text('The currency of the organization when not given.', 'Ak sa neuvedie, mena organizácie.'),
    ),
    issued_date: leftOut(issuedDate.nullish(), text('Today when not given.', 'Ak sa neuvedie, dnešok.')),
    due_date: leftOut(
      dueDate.nullish(),
      text(
        `${daysToPay} days after the issue when not given.`,
        `Ak sa neuvedie, ${daysToPay} dní po vystavení.`,
      ),
    ),
    note: field
      .string({
        label: text('Note', 'Poznámka'),
        example: 'Thank you for your order.',
        max: 2000,
        multiline: true,
      })
      .nullish(),
  },
);

/** A payment of an invoice, as people record it. */
const PayInvoice = body(
  'InvoicePayment',
  { label: text('Payment', 'Platba') },
  {
    amount: field
      .quantity({
        label: text('Amount', 'Suma'),
        help: text('All that remains when not given.', 'Ak sa neuvedie, všetko, čo zostáva uhradiť.'),
        example: 500,
        unit: 'money',
      })
      .optional(),
  },
);

const common = { resource: 'invoice', answer: Invoice } as const;
const read = { ...common, method: 'GET', scope: 'invoices:read', statuses: [200], errors: [] } as const;

export const invoiceOperations = {
  'invoices.list': operation({
    ...read,
    id: 'invoices.list',
    kind: 'list',
    path: '/invoices',
    query: listQuery(
      {
        q: search(text('Part of the number.', 'Časť čísla.'), '2026-0042'),
        status: status.optional(),
        is_paid: flag('Paid', 'Uhradené').optional(),
        is_overdue: flag('Overdue', 'Po splatnosti').optional(),
        client_id: clientId.optional(),
        company_id: companyId.optional(),
        variable_symbol: variableSymbol.optional(),
      },
      ['issued_date', 'due_date', 'total'],
    ),
    shape: 'list',
    title: text('List invoices', 'Zoznam faktúr'),
    about: text('Invoices of the organization, page by page.', 'Faktúry organizácie po stránkach.'),
  }),
  'invoices.create': operation({
    ...common,
    id: 'invoices.create',
    kind: 'create',
    method: 'POST',
    path: '/invoices',
    scope: 'invoices:write',
    body: CreateInvoice,
    shape: 'record',
    statuses: [201],
    errors: [],
    emits: ['invoice.created', 'invoice.paid'],
    title: text('Create an invoice', 'Vytvoriť faktúru'),
    about: text(
      'Records an issued invoice under the next number of its year. No money is moved.',
      'Zaeviduje vystavenú faktúru pod ďalším číslom jej roka. Peniaze sa neprevádzajú.',
    ),
    instruction: 'Record an issued invoice under the next number of its year. No money is moved.',
    binding: true,
  }),
  'invoices.get': operation({
    ...read,
    id: 'invoices.get',
    kind: 'get',
    path: '/invoices/{id}',
    shape: 'record',
    title: text('Get an invoice', 'Zobraziť faktúru'),
    about: text('One invoice with its items.', 'Jedna faktúra s položkami.'),
  }),
};

const step = {
  ...common,
  kind: 'action',
  method: 'POST',
  permissions: ['budget.edit'],
  shape: 'record',
  errors: ['CONFLICT'],
} as const;

/** What is overdue, at a glance. */
const InvoiceOverview = record(
  'InvoiceOverview',
  { label: text('Overdue Invoices', 'Faktúry po splatnosti') },
  {
    overdue: field.list(
      z.object({
        currency: field.keptCurrency(currencyText),
        invoices: field.integer({ label: text('Invoices', 'Faktúry'), example: 3 }),
        amount: money('Remaining Amount', 'Zostáva uhradiť', 1107),
      }),
      { label: text('Overdue by Currency', 'Po splatnosti podľa meny') },
    ),
    oldest: field.list(
      z.object({
        id: idOf(exampleRef.invoice),
        number: number.nullable(),
        name: field.string({ label: texts.company, example: 'Tatra Bikes s.r.o.' }).nullable(),
        due_date: dueDate,
        currency: field.keptCurrency(currencyText),
        amount: money('Remaining Amount', 'Zostáva uhradiť', 1107),
      }),
      { label: text('Longest Overdue', 'Najdlhšie po splatnosti') },
    ),
  },
);

export const invoiceConsoleOperations = {
  'invoices.overview': consoleOperation({
    id: 'invoices.overview',
    resource: 'invoice',
    kind: 'list',
    method: 'GET',
    path: '/invoices/overview',
    permissions: ['budget.view'],
    answer: InvoiceOverview,
    shape: 'bare',
    errors: [],
    title: text('See what is overdue', 'Pozrieť, čo je po splatnosti'),
    about: text(
      'How many invoices are overdue and what remains of them in each currency, with those that have been due longest.',
      'Koľko faktúr je po splatnosti a čo z nich zostáva v každej mene, s tými, ktoré sú po splatnosti najdlhšie.',
    ),
  }),
  'invoices.pay': consoleOperation({
    ...step,
    id: 'invoices.pay',
    path: '/invoices/{id}/pay',
    body: PayInvoice,
    emits: ['invoice.paid'],
    title: text('Record a payment of an invoice', 'Zaznamenať platbu faktúry'),
    about: text(
      'Notes that money arrived. When nothing remains, the invoice is paid; that cannot be taken back.',
      'Zaznamená prijaté peniaze. Keď nič nezostane, faktúra je uhradená; to sa nedá vrátiť.',
    ),
    step: { label: text('Record a payment', 'Zaznamenať platbu'), asks: true },
  }),
  'invoices.cancel': consoleOperation({
    ...step,
    id: 'invoices.cancel',
    path: '/invoices/{id}/cancel',
    title: text('Cancel an invoice', 'Stornovať faktúru'),
    about: text(
      'The invoice is no longer owed. Its number stays taken, and this cannot be taken back.',
      'Faktúra sa už nemá uhradiť. Jej číslo zostáva obsadené a nedá sa to vrátiť.',
    ),
    destructive: true,
    step: { label: text('Cancel', 'Stornovať'), asks: true },
  }),
};

export const invoiceSystemOperations = {
  'invoices.mark-overdue': systemOperation({
    id: 'invoices.mark-overdue',
    resource: 'invoice',
    emits: ['invoice.overdue'],
    title: text('Mark invoices as overdue', 'Označiť faktúry po splatnosti'),
    about: text(
      'Issued invoices become overdue when their due date has passed with something left to pay.',
      'Vystavené faktúry sú po splatnosti, keď uplynul dátum splatnosti a niečo zostáva uhradiť.',
    ),
  }),
};

const told = { entity: 'invoice', scope: 'invoices:read', filters: { status: 'status' } } as const;

const events = {
  'invoice.created': {
    ...told,
    category: 'created',
    label: text('Invoice created', 'Faktúra vytvorená'),
    description: text('An invoice was issued.', 'Bola vystavená faktúra.'),
  },
  'invoice.paid': {
    ...told,
    category: 'status',
    leaves: { is_paid: true },
    label: text('Invoice paid', 'Faktúra uhradená'),
    description: text('An invoice was paid in full.', 'Faktúra bola celá uhradená.'),
    sample: { status: 'paid', is_paid: true, paid_at: sampleMoment, remaining_amount: 0 },
  },
  'invoice.overdue': {
    ...told,
    category: 'overdue',
    leaves: { is_overdue: true },
    label: text('Invoice overdue', 'Faktúra po splatnosti'),
    description: text(
      'The due date of an unpaid invoice has passed.',
      'Uplynula splatnosť neuhradenej faktúry.',
    ),
    sample: {
      status: 'overdue',
      is_overdue: true,
      issued_date: '2026-09-16',
      due_date: '2026-09-30',
    },
  },
} as const satisfies Record<string, EventDeclaration>;

export const invoice = {
  label: invoiceLabel,
  plural: text('Invoices', 'Faktúry'),
  schema: Invoice,
  kind: 'record',
  brief: [
    'id',
    'number',
    'status',
    'issued_date',
    'due_date',
    'total',
    'remaining_amount',
    'currency',
    'counterparty',
    'app_url',
  ],
  collection: 'invoices',
  example: exampleRef.invoice,
  reference: {
    list: 'invoices.list',
    get: 'invoices.get',
    names: ['number'],
    known: ['variable_symbol'],
  },
  scope: 'invoices:read',
  permission: 'budget.view',
  toolSet: 'billing',
  operations: invoiceOperations,
  consoleOperations: invoiceConsoleOperations,
  systemOperations: invoiceSystemOperations,
  events,
  calm: { paid_at: null },
} as const satisfies RecordDeclaration;
