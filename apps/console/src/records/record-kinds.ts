import {
  type Activity,
  type Booking,
  CreateProduct,
  fieldsOf,
  type Invoice,
  type Lead,
  type Order,
  type Task,
  text,
  UpdateProduct,
} from '@dealkeep/contract';
import {
  actAsUser,
  createProduct,
  type NewProduct,
  type ProductChanges,
  possibleActivitySteps,
  possibleBookingSteps,
  possibleInvoiceSteps,
  possibleLeadSteps,
  possibleOrderSteps,
  possiblePaymentSteps,
  possibleTaskSteps,
  problemsOfProduct,
  updateProduct,
} from '@dealkeep/core';
import { sessionOf } from '../context.ts';
import type { ShownRecord } from '../values/shown-record.ts';
import { invoiceForSomebody, namedLead, orderOfSomebody } from './form-rules.ts';
import { companyLabelFields } from './label-fields.ts';
import { companyLabels, contactAddresses } from './label-steps.ts';
import { operationKind } from './operation-kind.ts';
import { orderStep, paymentStep } from './order-steps.ts';
import { quotes } from './quote-kind.ts';
import type { Edit, RecordKind } from './record-kind.ts';
import { activitySteps, bookingSteps, invoiceSteps, leadSteps, taskSteps } from './record-steps.ts';

/** Products are edited only here: they belong to orders. */
const productEdit = (schema: typeof CreateProduct | typeof UpdateProduct): Edit => ({
  fields: fieldsOf(schema),
  problemsOf: (c, body, uuid) =>
    problemsOfProduct(c.get('core'), sessionOf(c).organization, { ...body, ...(uuid ? { uuid } : {}) }),
  permissions: ['orders.edit'],
  run: async (c, body, { id, once, version }) => {
    const [core, session] = [c.get('core'), sessionOf(c)];
    const change = { resource: 'product', permissions: ['orders.edit'] as const };
    return actAsUser<unknown>(core, session, change, (organization) =>
      // The verbs check by the contract what the form says.
      id === undefined
        ? createProduct(core, organization, body as NewProduct, {
            person: session.user.id,
            key: once,
            input: body,
          })
        : updateProduct(core, organization, { uuid: id, ...(body as ProductChanges) }, version),
    ) as Promise<ShownRecord>;
  },
});

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
      'A Zap or an n8n workflow can add one from each row of a sheet, or look one up by its registration ID.',
      'Zap alebo n8n workflow môže pridať firmu z každého riadku tabuľky alebo ju nájsť podľa IČO.',
    ),
    stepsOf: () => [companyLabels],
    ownFields: companyLabelFields,
  }),
  operationKind({
    resource: 'contact',
    path: '/contacts',
    columns: ['name', 'company', 'email', 'phone', 'position', 'is_primary', 'created_at'],
    teaches: text('The people in these companies.', 'Ľudia v týchto firmách.'),
    automates: text(
      'A Zap or an n8n workflow can add everybody who fills in your form or answers a newsletter.',
      'Zap alebo n8n workflow môže pridať každého, kto vyplní formulár alebo odpovie na newsletter.',
    ),
    stepsOf: () => [contactAddresses],
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
      'A Zap or an n8n workflow can make a client of a company as soon as its lead is won.',
      'Zap alebo n8n workflow môže z firmy urobiť klienta, keď je jej príležitosť vyhratá.',
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
      'A Zap or an n8n workflow can make one of each message of your web form, and tell your chat when one is won.',
      'Zap alebo n8n workflow ju môže vytvoriť z každej správy webového formulára a výhru oznámiť v chate.',
    ),
    stepsOf: (record) => possibleLeadSteps(record as Lead).map((step) => leadSteps[step]),
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
      'A Zap or an n8n workflow can put them into your calendar, or make them of its entries.',
      'Zap alebo n8n workflow ich môže zapísať do kalendára alebo z neho vytvoriť.',
    ),
    stepsOf: (record) => possibleActivitySteps(record as Activity).map((step) => activitySteps[step]),
  }),
  operationKind({
    resource: 'task',
    path: '/tasks',
    leftOut: ['completed'],
    columns: ['title', 'priority', 'due_date', 'assignees', 'project', 'stage', 'completed_at'],
    teaches: text('What is to be done, by whom, until when.', 'Čo treba urobiť, kto a dokedy.'),
    automates: text(
      'A Zap or an n8n workflow can make one for each flagged e-mail, or remind of those overdue.',
      'Zap alebo n8n workflow ju môže vytvoriť z označeného e-mailu alebo pripomenúť tie po termíne.',
    ),
    stepsOf: (record) => possibleTaskSteps(record as Task).map((step) => taskSteps[step]),
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
      'A Zap or an n8n workflow can send each to your accountant, or make one when a lead is won.',
      'Zap alebo n8n workflow ju môže poslať účtovníčke alebo vytvoriť, keď je príležitosť vyhratá.',
    ),
    stepsOf: (record) => possibleInvoiceSteps(record as Invoice).map((step) => invoiceSteps[step]),
  }),
  quotes,
  operationKind({
    resource: 'booking',
    path: '/bookings',
    columns: ['customer', 'status', 'service', 'starts_at', 'staff', 'price', 'created_at'],
    teaches: text(
      'Times that customers reserved for your services.',
      'Termíny, ktoré si zákazníci rezervovali.',
    ),
    automates: text(
      'A Zap or an n8n workflow can send a text message to everybody who booked.',
      'Zap alebo n8n workflow môže poslať SMS každému, kto si rezervoval termín.',
    ),
    stepsOf: (record) => possibleBookingSteps(record as Booking).map((step) => bookingSteps[step]),
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
      'A Zap or an n8n workflow can bring orders here from your shop, and tell it when they are shipped.',
      'Zap alebo n8n workflow sem môže prenášať objednávky z e-shopu a oznámiť mu ich odoslanie.',
    ),
    stepsOf: (record) => [
      ...possibleOrderSteps(record as Order).map(orderStep),
      ...possiblePaymentSteps(record as Order).map(paymentStep),
    ],
  }),
  operationKind({
    resource: 'product',
    path: '/products',
    idField: 'uuid',
    reads: [['include', 'stock']],
    columns: ['name', 'sku', 'price', 'discounted_price', 'stock_available', 'active', 'updated_at'],
    teaches: text('What you sell, with price and stock.', 'Čo predávate, s cenou a zásobami.'),
    automates: text(
      'A Zap or an n8n workflow can keep your shop up to date with prices and stock.',
      'Zap alebo n8n workflow môže v e-shope udržiavať ceny a zásoby.',
    ),
    create: productEdit(CreateProduct),
    update: productEdit(UpdateProduct),
  }),
];

/** The kind of a resource; undefined where it has no pages of its own. */
export const kindOf = (resource: string): RecordKind | undefined =>
  recordKinds.find((kind) => kind.resource === resource);
