import * as z from 'zod';
import { consoleOperation, type OperationDeclaration, shownOperation } from '../operation.ts';
import type { Permission } from '../role-permissions.ts';
import * as field from '../scalars.ts';
import type { Scope } from '../scopes.ts';
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

type Counted<Query extends z.ZodObject> = Pick<OperationDeclaration, 'resource'> & { readonly query: Query };

/** How many records a list has in all, with the very filters of the list. */
const countOf = <const Plural extends string, Query extends z.ZodObject>(
  plural: Plural,
  { resource, query }: Counted<Query>,
) =>
  ({
    id: `${plural}.count` as const,
    resource,
    kind: 'list',
    method: 'GET',
    path: `/${plural}/count` as const,
    query,
    answer: ListCount,
    shape: 'bare',
    errors: [],
    title: text('Count a list', 'Spočítať zoznam'),
    about: text(
      'How many records a list has on all its pages, counted up to a bound.',
      'Koľko záznamov má zoznam na všetkých stránkach, spočítané po hranicu.',
    ),
  }) as const;

/** Whoever reads the list may count it: people in the console, and assistants, which are shown a part of it. */
const sharedCountOf = <const Plural extends string, Query extends z.ZodObject>(
  plural: Plural,
  list: Counted<Query> & { readonly scope: Scope },
  permission: Permission,
) => shownOperation({ ...countOf(plural, list), scope: list.scope, permissions: [permission] });

/** The counts of the lists that people work with; programs go through the pages. */
export const listCountOperations = {
  'companies.count': sharedCountOf('companies', companyOperations['companies.list'], 'companies.view'),
  'contacts.count': sharedCountOf('contacts', contactOperations['contacts.list'], 'companies.view'),
  'clients.count': sharedCountOf('clients', clientOperations['clients.list'], 'clients.view'),
  'leads.count': sharedCountOf('leads', leadOperations['leads.list'], 'leads.view'),
  'activities.count': sharedCountOf('activities', activityOperations['activities.list'], 'activities.view'),
  'tasks.count': sharedCountOf('tasks', taskOperations['tasks.list'], 'tasks.view'),
  'invoices.count': sharedCountOf('invoices', invoiceOperations['invoices.list'], 'budget.view'),
  'bookings.count': sharedCountOf('bookings', bookingOperations['bookings.list'], 'booking.view'),
  'orders.count': sharedCountOf('orders', orderOperations['orders.list'], 'orders.view'),
  'products.count': sharedCountOf('products', productOperations['products.list'], 'orders.view'),
} as const;

/** Quotes are listed in the console alone. */
export const quoteCountOperations = {
  'quotes.count': consoleOperation({
    ...countOf('quotes', quoteConsoleOperations['quotes.list']),
    permissions: ['budget.view'],
  }),
} as const;
