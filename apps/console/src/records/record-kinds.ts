import {
  type Activity,
  type Booking,
  type Invoice,
  type Lead,
  type Order,
  type Quote,
  type Task,
  text,
} from '@dealkeep/contract';
import {
  possibleActivitySteps,
  possibleBookingSteps,
  possibleInvoiceSteps,
  possibleLeadSteps,
  possibleOrderSteps,
  possibleQuoteSteps,
  possibleTaskSteps,
} from '@dealkeep/core';
import { invoiceForSomebody, namedLead, orderOfSomebody, quoteForSomebody } from './form-rules.ts';
import { companyLabelFields } from './label-fields.ts';
import { operationKind } from './operation-kind.ts';
import type { RecordKind } from './record-kind.ts';

/** Every kind of records, in the order of search results. */
export const recordKinds: readonly RecordKind[] = [
  operationKind({
    resource: 'company',
    path: '/companies',
    columns: ['name', 'email', 'phone', 'registration_id', 'owner', 'tags', 'created_at'],
    teaches: text(
      'The businesses that you know: customers, suppliers, prospects.',
      'Firmy, ktoré poznáte: zákazníci, dodávatelia, záujemcovia.',
    ),
    automates: text(
      'An automation in Zapier, n8n or Activepieces can add one from each row of a sheet, or look one up by its registration ID.',
      'Automatizácia v Zapieri, n8n alebo Activepieces môže pridať firmu z každého riadku tabuľky alebo ju nájsť podľa IČO.',
    ),
    ownFields: companyLabelFields,
  }),
  operationKind({
    resource: 'contact',
    path: '/contacts',
    columns: ['name', 'company', 'email', 'phone', 'position', 'is_primary', 'created_at'],
    teaches: text('The people in these companies.', 'Ľudia v týchto firmách.'),
    automates: text(
      'An automation in Zapier, n8n or Activepieces can add everybody who fills in your form or answers a newsletter.',
      'Automatizácia v Zapieri, n8n alebo Activepieces môže pridať každého, kto vyplní formulár alebo odpovie na newsletter.',
    ),
  }),
  operationKind({
    resource: 'client',
    path: '/clients',
    columns: ['company', 'owner', 'reference_code', 'reference_valid_until', 'created_at'],
    teaches: text(
      'The companies that buy from you, with what you agreed.',
      'Firmy, ktoré u vás nakupujú, a čo ste si dohodli.',
    ),
    automates: text(
      'An automation in Zapier, n8n or Activepieces can make a client of a company as soon as its lead is won.',
      'Automatizácia v Zapieri, n8n alebo Activepieces môže z firmy urobiť klienta, keď je jej príležitosť vyhratá.',
    ),
  }),
  operationKind({
    resource: 'lead',
    path: '/leads',
    rules: [namedLead],
    columns: ['name', 'status', 'stage', 'value', 'company', 'owner', 'expected_close_date', 'created_at'],
    teaches: text(
      'Business that may come about, from the first question to won or lost.',
      'Obchody, ktoré môžu vzniknúť, od prvej otázky po výhru alebo prehru.',
    ),
    automates: text(
      'An automation in Zapier, n8n or Activepieces can make one of each message of your web form, and tell your chat when one is won.',
      'Automatizácia v Zapieri, n8n alebo Activepieces ju môže vytvoriť z každej správy webového formulára a výhru oznámiť v chate.',
    ),
    possible: (record) => possibleLeadSteps(record as Lead),
  }),
  operationKind({
    resource: 'activity',
    path: '/activities',
    columns: ['name', 'status', 'type', 'start_at', 'assignee', 'company', 'lead'],
    teaches: text(
      'Meetings, calls and visits, with their time.',
      'Stretnutia, telefonáty a návštevy s časom.',
    ),
    automates: text(
      'An automation in Zapier, n8n or Activepieces can put them into your calendar, or make them of its entries.',
      'Automatizácia v Zapieri, n8n alebo Activepieces ich môže zapísať do kalendára alebo z neho vytvoriť.',
    ),
    possible: (record) => possibleActivitySteps(record as Activity),
  }),
  operationKind({
    resource: 'task',
    path: '/tasks',
    leftOut: ['completed'],
    columns: ['title', 'priority', 'due_date', 'assignees', 'project', 'stage', 'completed_at'],
    teaches: text('What is to be done, by whom, until when.', 'Čo treba urobiť, kto a dokedy.'),
    automates: text(
      'An automation in Zapier, n8n or Activepieces can make one for each flagged e-mail, or remind of those overdue.',
      'Automatizácia v Zapieri, n8n alebo Activepieces ju môže vytvoriť z označeného e-mailu alebo pripomenúť tie po termíne.',
    ),
    possible: (record) => possibleTaskSteps(record as Task),
  }),
  operationKind({
    resource: 'invoice',
    path: '/invoices',
    rules: [invoiceForSomebody],
    columns: ['number', 'status', 'counterparty', 'total', 'remaining_amount', 'issued_date', 'due_date'],
    teaches: text(
      'What you asked to be paid, and what of it has arrived.',
      'Čo ste vyfakturovali a čo z toho prišlo.',
    ),
    automates: text(
      'An automation in Zapier, n8n or Activepieces can send each to your accountant, or make one when a lead is won.',
      'Automatizácia v Zapieri, n8n alebo Activepieces ju môže poslať účtovníčke alebo vytvoriť, keď je príležitosť vyhratá.',
    ),
    possible: (record) => possibleInvoiceSteps(record as Invoice),
  }),
  operationKind({
    resource: 'quote',
    path: '/quotes',
    titled: 'number',
    rules: [quoteForSomebody],
    columns: ['number', 'status', 'company', 'lead', 'total', 'valid_until', 'created_at'],
    teaches: text(
      'What you offered, at which price, and what the customer said.',
      'Čo ste ponúkli, za akú cenu a čo povedal zákazník.',
    ),
    automates: text(
      'An automation in Zapier, n8n or Activepieces can tell your chat when one is accepted, or make the invoice of it.',
      'Automatizácia v Zapieri, n8n alebo Activepieces môže prijatie oznámiť v chate alebo z nej vytvoriť faktúru.',
    ),
    possible: (record) => possibleQuoteSteps(record as Quote),
  }),
  operationKind({
    resource: 'booking',
    path: '/bookings',
    columns: ['customer', 'status', 'service', 'starts_at', 'staff', 'price', 'created_at'],
    teaches: text(
      'Times that customers reserved for your services.',
      'Termíny, ktoré si zákazníci rezervovali.',
    ),
    automates: text(
      'An automation in Zapier, n8n or Activepieces can send a text message to everybody who booked.',
      'Automatizácia v Zapieri, n8n alebo Activepieces môže poslať SMS každému, kto si rezervoval termín.',
    ),
    possible: (record) => possibleBookingSteps(record as Booking),
  }),
  operationKind({
    resource: 'order',
    path: '/orders',
    idField: 'uuid',
    rules: [orderOfSomebody],
    columns: ['internal_number', 'status', 'payment_status', 'customer_name', 'grand_total', 'created_at'],
    teaches: text(
      'What customers ordered, from new to delivered.',
      'Čo si zákazníci objednali, od novej po doručenú.',
    ),
    automates: text(
      'An automation in Zapier, n8n or Activepieces can bring orders here from your shop, and tell it when they are shipped.',
      'Automatizácia v Zapieri, n8n alebo Activepieces sem môže prenášať objednávky z e-shopu a oznámiť mu ich odoslanie.',
    ),
    possible: (record) => possibleOrderSteps(record as Order),
  }),
  operationKind({
    resource: 'product',
    path: '/products',
    idField: 'uuid',
    reads: [['include', 'stock']],
    columns: ['name', 'sku', 'price', 'discounted_price', 'stock_available', 'active', 'updated_at'],
    teaches: text('What you sell, with price and stock.', 'Čo predávate, s cenou a zásobami.'),
    automates: text(
      'An automation in Zapier, n8n or Activepieces can keep your shop up to date with prices and stock.',
      'Automatizácia v Zapieri, n8n alebo Activepieces môže v e-shope udržiavať ceny a zásoby.',
    ),
  }),
];

/** The kind of a resource; undefined where it has no pages of its own. */
export const kindOf = (resource: string): RecordKind | undefined =>
  recordKinds.find((kind) => kind.resource === resource);
