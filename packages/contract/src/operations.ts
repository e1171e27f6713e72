import type * as z from 'zod';
import type { OperationDeclaration } from './operation.ts';
import { activityOperations } from './resources/activities.ts';
import { bookingOperations } from './resources/bookings.ts';
import { clientOperations } from './resources/clients.ts';
import { companyOperations } from './resources/companies.ts';
import { contactOperations } from './resources/contacts.ts';
import { invoiceOperations } from './resources/invoices.ts';
import { leadOperations } from './resources/leads.ts';
import { lookupOperations } from './resources/lookups.ts';
import { meOperations } from './resources/me.ts';
import { orderOperations } from './resources/orders.ts';
import { productOperations } from './resources/products.ts';
import { taskOperations } from './resources/tasks.ts';
import { webhookOperations } from './resources/webhooks.ts';
import type { Scope } from './scopes.ts';

/** Every operation of the API by its id. All else (routes, documents, clients, connectors) is derived from this. */
export const operations = {
  ...meOperations,
  ...companyOperations,
  ...contactOperations,
  ...clientOperations,
  ...leadOperations,
  ...activityOperations,
  ...taskOperations,
  ...invoiceOperations,
  ...bookingOperations,
  ...orderOperations,
  ...productOperations,
  ...lookupOperations,
  ...webhookOperations,
} as const satisfies Record<string, OperationDeclaration>;

export type Operations = typeof operations;
export type OperationId = keyof Operations;

export const operationIds = Object.keys(operations).filter((id): id is OperationId => id in operations);

/**
 * The scope by which a record of the operation's kind is read; undefined where none is. A write answers the whole record
 * only to whoever holds it.
 */
export function readScopeOf({ resource }: OperationDeclaration): Scope | undefined {
  const all = Object.values<OperationDeclaration>(operations).filter((each) => each.resource === resource);
  const read = all.find(({ kind }) => kind === 'get') ?? all.find(({ kind }) => kind === 'list');
  return read?.scope ?? undefined;
}

/** The parsed query of an operation; empty when it takes none. */
export type QueryOf<O extends OperationDeclaration> = O extends { query: infer Query extends z.ZodType }
  ? z.output<Query>
  : Record<string, never>;

/** The parsed body of an operation; undefined when it takes none. */
export type BodyOf<O extends OperationDeclaration> = O extends { body: infer Body extends z.ZodType }
  ? z.output<Body>
  : undefined;

/** The record, the item of a list, or the bare answer. */
export type AnswerOf<O extends OperationDeclaration> = O extends { answer: infer Answer extends z.ZodType }
  ? z.output<Answer>
  : undefined;

/** The names of an operation's path parameters. */
export type PathParameters<Path extends string> = Path extends `${string}{${infer Name}}${infer Rest}`
  ? Name | PathParameters<Rest>
  : never;
