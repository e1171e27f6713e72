import * as z from 'zod';
import { consoleOperation, type OperationDeclaration } from '../operation.ts';
import type { Permission } from '../role-permissions.ts';
import * as field from '../scalars.ts';
import { text } from '../text.ts';
import { activityOperations } from './activities.ts';
import { bookingOperations } from './bookings.ts';
import { clientOperations } from './clients.ts';
import { companyOperations } from './companies.ts';
import { contactOperations } from './contacts.ts';
import { invoiceOperations } from './invoices.ts';
import { leadOperations } from './leads.ts';
import { orderOperations } from './orders.ts';
import { productOperations } from './products.ts';
import { quoteConsoleOperations } from './quotes.ts';
import { taskOperations } from './tasks.ts';

const ListCount = z.strictObject({
  count: field.integer({ label: text('Records', 'Záznamy'), example: 1234 }),
  /** There are more than are counted. */
  more: field.boolean({ label: text('More', 'Ďalšie'), example: false }),
});

/** How many records a list has in all, with the very filters of the list. */
const countOf = <const Plural extends string, Query extends z.ZodObject>(
  plural: Plural,
  { resource, query }: Pick<OperationDeclaration, 'resource'> & { readonly query: Query },
  permission: Permission,
) =>
  consoleOperation({
    id: `${plural}.count` as const,
    resource,
    kind: 'list',
    method: 'GET',
    path: `/${plural}/count` as const,
    permissions: [permission],
    query,
    answer: ListCount,
    shape: 'bare',
    errors: [],
    title: text('Count a list', 'Spočítať zoznam'),
    about: text(
      'How many records a list has on all its pages, counted up to a bound.',
      'Koľko záznamov má zoznam na všetkých stránkach, spočítané po hranicu.',
    ),
  });

/** The counts of the lists that people work with; programs go through the pages. */
export const listCountOperations = {
  'companies.count': countOf('companies', companyOperations['companies.list'], 'companies.view'),
  'contacts.count': countOf('contacts', contactOperations['contacts.list'], 'companies.view'),
  'clients.count': countOf('clients', clientOperations['clients.list'], 'clients.view'),
  'leads.count': countOf('leads', leadOperations['leads.list'], 'leads.view'),
  'activities.count': countOf('activities', activityOperations['activities.list'], 'activities.view'),
  'tasks.count': countOf('tasks', taskOperations['tasks.list'], 'tasks.view'),
  'invoices.count': countOf('invoices', invoiceOperations['invoices.list'], 'budget.view'),
  'quotes.count': countOf('quotes', quoteConsoleOperations['quotes.list'], 'budget.view'),
  'bookings.count': countOf('bookings', bookingOperations['bookings.list'], 'booking.view'),
  'orders.count': countOf('orders', orderOperations['orders.list'], 'orders.view'),
  'products.count': countOf('products', productOperations['products.list'], 'orders.view'),
} as const;
