import type { OperationId } from '@dealkeep/contract';
import { completeActivity } from './activities/complete-activity.ts';
import { createActivity } from './activities/create-activity.ts';
import { getActivity } from './activities/get-activity.ts';
import { listActivities } from './activities/list-activities.ts';
import { updateActivity } from './activities/update-activity.ts';
import { cancelBooking } from './bookings/cancel-booking.ts';
import { createBooking } from './bookings/create-booking.ts';
import { getBooking } from './bookings/get-booking.ts';
import { listBookings } from './bookings/list-bookings.ts';
import { createClient } from './clients/create-client.ts';
import { getClient } from './clients/get-client.ts';
import { listClients } from './clients/list-clients.ts';
import { updateClient } from './clients/update-client.ts';
import { createCompany } from './companies/create-company.ts';
import { getCompany } from './companies/get-company.ts';
import { listCompanies } from './companies/list-companies.ts';
import { updateCompany } from './companies/update-company.ts';
import { createContact } from './contacts/create-contact.ts';
import { getContact } from './contacts/get-contact.ts';
import { listContacts } from './contacts/list-contacts.ts';
import { updateContact } from './contacts/update-contact.ts';
import { getMe } from './credentials/get-me.ts';
import { createInvoice } from './invoices/create-invoice.ts';
import { getInvoice } from './invoices/get-invoice.ts';
import { listInvoices } from './invoices/list-invoices.ts';
import { archiveLead } from './leads/archive-lead.ts';
import { createLead } from './leads/create-lead.ts';
import { getLead } from './leads/get-lead.ts';
import { listLeads } from './leads/list-leads.ts';
import { moveLead } from './leads/move-lead.ts';
import { updateLead } from './leads/update-lead.ts';
import { listActivityTypes } from './lookups/list-activity-types.ts';
import { listBookingServices } from './lookups/list-booking-services.ts';
import { listBookingStaff } from './lookups/list-booking-staff.ts';
import { listCustomFields } from './lookups/list-custom-fields.ts';
import { listLeadOrigins } from './lookups/list-lead-origins.ts';
import { listLostReasons } from './lookups/list-lost-reasons.ts';
import { listPipelines } from './lookups/list-pipelines.ts';
import { listProductCategories } from './lookups/list-product-categories.ts';
import { listProjects } from './lookups/list-projects.ts';
import { listTags } from './lookups/list-tags.ts';
import { listUsers } from './lookups/list-users.ts';
import { createOrder } from './orders/create-order.ts';
import { getOrder } from './orders/get-order.ts';
import { listOrders } from './orders/list-orders.ts';
import { getProduct } from './products/get-product.ts';
import { listProducts } from './products/list-products.ts';
import { createTask } from './tasks/create-task.ts';
import { getTask } from './tasks/get-task.ts';
import { listTasks } from './tasks/list-tasks.ts';
import { updateTask } from './tasks/update-task.ts';
import type { FindFurther } from './verb/further-problems.ts';
import type { ParsedRequest } from './verb/parse-request.ts';
import type { Asking, Reading, Verb, Writing } from './verb/verb.ts';
import { createWebhook } from './webhooks/create-webhook.ts';
import { deleteWebhook } from './webhooks/delete-webhook.ts';
import { getSample, listEventTypes } from './webhooks/event-types.ts';
import { getWebhook, listWebhooks } from './webhooks/read-webhooks.ts';

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
