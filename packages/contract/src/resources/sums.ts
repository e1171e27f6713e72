import * as z from 'zod';
import { describe } from '../field.ts';
import { limits } from '../limits.ts';
import { assistantOperation, type OperationDeclaration } from '../operation.ts';
import * as field from '../scalars.ts';
import type { Scope } from '../scopes.ts';
import { type Text, text } from '../text.ts';
import { bookingOperations } from './bookings.ts';
import { invoiceOperations } from './invoices.ts';
import { leadOperations } from './leads.ts';
import { orderOperations } from './orders.ts';

const amounts = {
  count: field.integer({ label: text('Records', 'Záznamy'), example: 12 }),
  amount: field.money({ label: text('Amount', 'Suma'), example: 18400 }),
  /** Of invoices. */
  remaining_amount: field
    .money({ label: text('Remaining Amount', 'Zostáva uhradiť'), example: 1200 })
    .optional(),
};
const currency = field.keptCurrency({ label: text('Currency', 'Mena'), example: 'EUR' });

const groupId = field.uuid({ label: text('Group ID', 'Skupina – ID') }).optional();

/** What the records of a list are worth together: in all, and of each group. */
const Sums = z.strictObject({
  totals: field.list(z.strictObject({ currency, ...amounts }), {
    label: text('Totals', 'Spolu'),
    help: text('One for each currency.', 'Za každú menu jedna.'),
  }),
  groups: field.list(
    z.strictObject({
      /** Null for records that have none. */
      name: field.string({ label: text('Group', 'Skupina'), example: 'Negotiation' }).nullable(),
      id: groupId,
      currency,
      ...amounts,
    }),
    {
      label: text('Groups', 'Skupiny'),
      help: text('Those with the largest amounts first.', 'Tie s najväčšou sumou prvé.'),
    },
  ),
});

/** What the records of a list are summed by. */
const summedBy = <const Value extends string>(...values: readonly [Value, ...Value[]]) =>
  describe(z.enum(values), {
    label: text('By', 'Podľa'),
    help: text('One sum for each of them.', 'Za každé z nich jedna suma.'),
  }).optional();

interface Summed extends Pick<OperationDeclaration, 'resource'> {
  readonly scope: Scope;
}

const sumOf = <const Plural extends string, Query extends z.ZodObject>(
  plural: Plural,
  { resource, scope }: Summed,
  {
    query,
    title,
    instruction,
  }: { readonly query: Query; readonly title: Text; readonly instruction: string },
) =>
  assistantOperation({
    id: `${plural}.sum` as const,
    tool: `sum_${plural}`,
    resource,
    kind: 'list',
    method: 'GET',
    path: '',
    scope,
    query,
    answer: Sums,
    shape: 'bare',
    errors: [],
    title,
    about: text(
      `How many records a list has and what they are worth together, ${limits.summedRecords} at most.`,
      `Koľko záznamov zoznam má a akú majú spolu hodnotu, najviac ${limits.summedRecords}.`,
    ),
    instruction,
    when: 'Use it for totals and for comparisons instead of adding up a list.',
  });

/** Sums of the lists whose records have an amount; people see them in the console in other ways. */
export const sumOperations = {
  'leads.sum': sumOf('leads', leadOperations['leads.list'], {
    query: leadOperations['leads.list'].query.extend({
      by: summedBy(
        'status',
        'stage',
        'pipeline',
        'owner',
        'origin',
        'company',
        'created_month',
        'won_month',
        'expected_close_month',
      ),
    }),
    title: text('Sum leads', 'Spočítať príležitosti'),
    instruction:
      'Count leads and add up their values, in all or by status, stage, owner, month and so on. Takes the filters of list_leads.',
  }),
  'invoices.sum': sumOf('invoices', invoiceOperations['invoices.list'], {
    query: invoiceOperations['invoices.list'].query.extend({
      by: summedBy('status', 'company', 'issued_month', 'due_month', 'paid_month'),
    }),
    title: text('Sum invoices', 'Spočítať faktúry'),
    instruction:
      'Count invoices and add up their totals and what remains to be paid, in all or by status, company or month. Takes the filters of list_invoices.',
  }),
  'bookings.sum': sumOf('bookings', bookingOperations['bookings.list'], {
    query: bookingOperations['bookings.list'].query.extend({
      by: summedBy('status', 'service', 'staff', 'starts_month'),
    }),
    title: text('Sum bookings', 'Spočítať rezervácie'),
    instruction:
      'Count bookings and add up their prices, in all or by status, service, staff or month. Takes the filters of list_bookings.',
  }),
  'orders.sum': sumOf('orders', orderOperations['orders.list'], {
    query: orderOperations['orders.list'].query.extend({
      by: summedBy('status', 'payment_status', 'company', 'created_month'),
    }),
    title: text('Sum orders', 'Spočítať objednávky'),
    instruction:
      'Count orders and add up their grand totals, in all or by status, payment status, company or month. Takes the filters of list_orders.',
  }),
} as const;
