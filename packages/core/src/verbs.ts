import type { OperationId } from '@dealkeep/contract';
import { getActivity, listActivities } from './activities/record.ts';
import { completeActivity, createActivity, updateActivity } from './activities/write.ts';
import { createBooking } from './bookings/create.ts';
import { getBooking, listBookings } from './bookings/record.ts';
import { cancelBooking } from './bookings/steps.ts';
import { getClient, listClients } from './clients/record.ts';
import { createClient, updateClient } from './clients/write.ts';
import { getCompany, listCompanies } from './companies/record.ts';
import { createCompany, updateCompany } from './companies/write.ts';
import { getContact, listContacts } from './contacts/record.ts';
import { createContact, updateContact } from './contacts/write.ts';
import { getMe } from './credentials/read-credential.ts';
import { getInvoice, listInvoices } from './invoices/record.ts';
import { createInvoice } from './invoices/write.ts';
import { createLead } from './leads/create.ts';
import { getLead, listLeads } from './leads/read.ts';
import { archiveLead, moveLead } from './leads/stages.ts';
import { updateLead } from './leads/update.ts';
import {
  listActivityTypes,
  listBookingServices,
  listBookingStaff,
  listCustomFields,
  listLeadOrigins,
  listLostReasons,
  listPipelines,
  listProductCategories,
  listProjects,
  listTags,
  listUsers,
} from './lookups/read.ts';
import { createOrder } from './orders/create.ts';
import { getOrder, listOrders } from './orders/record.ts';
import { getProduct, listProducts } from './products/record.ts';
import { getTask, listTasks } from './tasks/record.ts';
import { createTask, updateTask } from './tasks/write.ts';
import type { FindFurther } from './verb/check-input.ts';
import type { ParsedRequest } from './verb/parse-request.ts';
import type { Asking, Reading, Verb, Writing } from './verb/verb.ts';
import { createWebhook, deleteWebhook, getSample, listEventTypes } from './webhooks/rest-hooks.ts';
import { getWebhook, listWebhooks } from './webhooks/show-webhooks.ts';

/** What each operation of the contract does. An operation without its verb does not compile. */
export const verbs = {
  'me.get': getMe,
  'companies.list': listCompanies,
  'companies.create': createCompany,
  'companies.get': getCompany,
  'companies.update': updateCompany,
  'contacts.list': listContacts,
  'contacts.create': createContact,
  'contacts.get': getContact,
  'contacts.update': updateContact,
  'clients.list': listClients,
  'clients.create': createClient,
  'clients.get': getClient,
  'clients.update': updateClient,
  'leads.list': listLeads,
  'leads.create': createLead,
  'leads.get': getLead,
  'leads.update': updateLead,
  'leads.move': moveLead,
  'leads.archive': archiveLead,
  'activities.list': listActivities,
  'activities.create': createActivity,
  'activities.get': getActivity,
  'activities.update': updateActivity,
  'activities.complete': completeActivity,
  'bookings.list': listBookings,
  'bookings.create': createBooking,
  'bookings.get': getBooking,
  'bookings.cancel': cancelBooking,
  'orders.list': listOrders,
  'orders.create': createOrder,
  'orders.get': getOrder,
  'products.list': listProducts,
  'products.get': getProduct,
  'users.list': listUsers,
  'pipelines.list': listPipelines,
  'lead-origins.list': listLeadOrigins,
  'lost-reasons.list': listLostReasons,
  'tags.list': listTags,
  'custom-fields.list': listCustomFields,
  'activity-types.list': listActivityTypes,
  'product-categories.list': listProductCategories,
  'booking-services.list': listBookingServices,
  'booking-staff.list': listBookingStaff,
  'projects.list': listProjects,
  'tasks.list': listTasks,
  'tasks.create': createTask,
  'tasks.get': getTask,
  'tasks.update': updateTask,
  'invoices.list': listInvoices,
  'invoices.create': createInvoice,
  'invoices.get': getInvoice,
  'webhooks.list': listWebhooks,
  'webhooks.create': createWebhook,
  'webhooks.get': getWebhook,
  'webhooks.delete': deleteWebhook,
  'webhooks.events': listEventTypes,
  'webhooks.sample': getSample,
} as const satisfies { readonly [Id in OperationId]: Verb<Id> };

export type VerbId = OperationId;

/** What a verb asks of the outside before it runs; undefined where it asks nothing. */
export function aheadOf(id: VerbId, context: Asking): ((parsed: ParsedRequest) => Promise<void>) | undefined {
  const { ahead }: { ahead?(context: never, input: never): Promise<void> } = verbs[id];
  return ahead && ((parsed) => ahead(context as never, parsed as never));
}

/** What a verb finds in a body that is refused anyway; undefined where it looks for nothing. */
export function furtherOf(
  id: VerbId,
  context: Reading,
  path: ParsedRequest['path'],
): FindFurther<unknown> | undefined {
  const {
    further,
  }: { further?(context: never, refused: never, path: never): ReturnType<FindFurther<unknown>> } = verbs[id];
  return further && ((refused) => further(context as never, refused as never, path as never));
}

/**
 * Runs a verb with a request that was parsed by the very schemas that its types are read from. This is the one
 * place where the two meet, so the one cast stands here.
 */
export function runVerb(id: VerbId, context: Reading | Writing, parsed: ParsedRequest): Promise<unknown> {
  const verb: { run(context: never, input: never): Promise<unknown> } = verbs[id];
  return verb.run(context as never, parsed as never);
}
