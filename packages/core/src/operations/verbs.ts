import { type EveryOperationId, errorStatus, everyOperation, type FieldProblem } from '@dealkeep/contract';
import { listAuditEntries } from '../accounts/audit-log/list-entries.ts';
import {
  inviteMember,
  sendInvitationAgain,
  withdrawInvitation,
} from '../accounts/invitations/invitations.ts';
import { createOwnApiKey, revokeApiKeyOf, updateApiKey } from '../accounts/keys/api-keys.ts';
import { getMe } from '../accounts/keys/me.ts';
import { addAssistant, registerAssistant, removeAssistant } from '../accounts/oauth/assistants.ts';
import { editOrganization } from '../accounts/organizations/organizations.ts';
import { activateMember, deactivateMember, editMember } from '../accounts/users/members.ts';
import { addRole, editRole, removeRole } from '../accounts/users/roles.ts';
import type { SentBody } from '../change/verb/check-input.ts';
import { withNamedRecords } from '../change/verb/named-records.ts';
import type { ParsedRequest } from '../change/verb/parse-request.ts';
import { type Reading, type Verb, type Writing, withoutChanging } from '../change/verb/verb.ts';
import { getHookDelivery, listHookDeliveries } from '../delivering/delivery-log/hook-deliveries.ts';
import { resendDelivery } from '../delivering/delivery-log/resend-delivery.ts';
import { recoverDeliveries } from '../delivering/delivery-log/send-again.ts';
import { sendTestEvent } from '../delivering/delivery-log/send-test-event.ts';
import { getEvent, listEvents } from '../delivering/event-feed/events.ts';
import {
  createManualWebhook,
  disableWebhook,
  enableWebhook,
  removeWebhook,
  rotateWebhookSecret,
  updateManualWebhook,
} from '../delivering/webhooks/manual-webhooks.ts';
import {
  createWebhook,
  deleteWebhook,
  getSample,
  listEventTypes,
  updateWebhook,
} from '../delivering/webhooks/rest-hooks.ts';
import { getWebhook, listWebhooks } from '../delivering/webhooks/show-webhooks.ts';
import { type Problem, refusalOf } from '../foundations/problem.ts';
import type { Actor } from '../identity/credentials/credential.ts';
import { getAvailability } from '../records/bookings/availability.ts';
import { eraseClient, eraseCompany, eraseContact, eraseLead } from '../records/erasing/erase.ts';
import {
  getActivityType,
  getBookingService,
  getBookingStaffMember,
  getCustomField,
  getLeadOrigin,
  getLostReason,
  getPipeline,
  getProductCategory,
  getProject,
  getTag,
  getUser,
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
} from '../records/lookups/read.ts';
import { lookupVerbs } from '../records/lookups/verbs.ts';
import { recordVerbs } from '../records/record-kinds.ts';
import { editView, listViews, removeView, saveView } from '../records/saved-views/saved-views.ts';
import { searchAll } from '../records/search/search.ts';
import { timelineVerbs } from '../records/timeline/timeline.ts';

/** What each operation on one record does, whoever it is for. An operation without its verb does not compile. */
export const verbs = {
  'me.get': getMe,
  ...recordVerbs,
  'users.list': listUsers,
  'users.get': getUser,
  'pipelines.list': listPipelines,
  'pipelines.get': getPipeline,
  'lead-origins.list': listLeadOrigins,
  'lead-origins.get': getLeadOrigin,
  'lost-reasons.list': listLostReasons,
  'lost-reasons.get': getLostReason,
  'tags.list': listTags,
  'tags.get': getTag,
  'custom-fields.list': listCustomFields,
  'custom-fields.get': getCustomField,
  'activity-types.list': listActivityTypes,
  'activity-types.get': getActivityType,
  'product-categories.list': listProductCategories,
  'product-categories.get': getProductCategory,
  'booking-services.list': listBookingServices,
  'booking-services.get': getBookingService,
  'booking-services.availability': getAvailability,
  'booking-staff.list': listBookingStaff,
  'booking-staff.get': getBookingStaffMember,
  'projects.list': listProjects,
  'projects.get': getProject,
  'webhooks.list': listWebhooks,
  'webhooks.create': createWebhook,
  'webhooks.get': getWebhook,
  'webhooks.update': updateWebhook,
  'webhooks.delete': deleteWebhook,
  'webhooks.events': listEventTypes,
  'webhooks.sample': getSample,
  'webhook-deliveries.list': listHookDeliveries,
  'webhook-deliveries.get': getHookDelivery,
  'webhook-deliveries.resend': resendDelivery,
  'webhooks.test': sendTestEvent,
  'webhooks.recover': recoverDeliveries,
  'events.list': listEvents,
  'events.get': getEvent,
  'search.all': searchAll,
  ...timelineVerbs,
  'companies.erase': eraseCompany,
  'contacts.erase': eraseContact,
  'clients.erase': eraseClient,
  'leads.erase': eraseLead,
  ...lookupVerbs,
  'members.edit': editMember,
  'members.deactivate': deactivateMember,
  'members.activate': activateMember,
  'invitations.send': inviteMember,
  'invitations.send-again': sendInvitationAgain,
  'invitations.withdraw': withdrawInvitation,
  'roles.add': addRole,
  'roles.edit': editRole,
  'roles.remove': removeRole,
  'views.list': listViews,
  'views.save': saveView,
  'views.edit': editView,
  'views.remove': removeView,
  'webhooks.remove': removeWebhook,
  'manual-webhooks.create': createManualWebhook,
  'manual-webhooks.update': updateManualWebhook,
  'manual-webhooks.enable': enableWebhook,
  'manual-webhooks.disable': disableWebhook,
  'manual-webhooks.rotate-secret': rotateWebhookSecret,
  'organizations.update': editOrganization,
  'api-keys.create': createOwnApiKey,
  'api-keys.update': updateApiKey,
  'api-keys.revoke': revokeApiKeyOf,
  'assistants.add': addAssistant,
  'assistants.register': registerAssistant,
  'assistants.remove': removeAssistant,
  'audit-entries.list': listAuditEntries,
} as const satisfies { readonly [Id in Exclude<EveryOperationId, BatchId>]: Verb<Id> };

/** A batch has no verb of its own: it runs those of its items. */
export type BatchId = Extract<EveryOperationId, `${string}.batch`>;
export type VerbId = Exclude<EveryOperationId, BatchId>;

export const isVerbId = (id: string): id is VerbId => Object.hasOwn(verbs, id);

/** The steps of a verb. Its types are lost here, where verbs and requests meet. */
interface Steps {
  beforeTransaction?(context: never, sent: never): Promise<unknown>;
  actOnce?(context: never, input: never): Promise<unknown>;
  check?(context: never, sent: never): Promise<unknown>;
  run(context: never, input: never, found: unknown): Promise<unknown>;
}

const stepsOf = (id: VerbId): Steps => verbs[id];

/** Whether a verb does something before its transaction that cannot be undone. */
export const actsOnce = (id: VerbId): boolean => stepsOf(id).actOnce !== undefined;

/** A request of which nothing is refused. */
const wholly = ({ path, body }: ParsedRequest) => ({ path, body, isWhole: true, isRefused: () => false });

/** Asks the outside, or acts there, before the transaction. Answers what was learned. */
export async function runBeforeTransaction(
  id: VerbId,
  context: Reading<Actor>,
  parsed: ParsedRequest,
): Promise<unknown> {
  const { beforeTransaction, actOnce } = stepsOf(id);
  const learned = await beforeTransaction?.(context as never, wholly(parsed) as never);
  return actOnce ? actOnce(context as never, parsed as never) : learned;
}

/** What the checks of a verb find in what is left of a refused body; nothing is locked or written. */
export async function problemsLeft(
  id: VerbId,
  context: Reading<Actor>,
  sent: SentBody<unknown> & Pick<ParsedRequest, 'path'>,
): Promise<readonly FieldProblem[]> {
  const { beforeTransaction, check } = stepsOf(id);
  const reading = withoutChanging(context);
  const found: FieldProblem[] = [];
  for (const step of [beforeTransaction, check]) {
    const refusal = await refusalOf(() => step?.(reading as never, sent as never));
    if (refusal && isForNow(refusal)) throw refusal;
    // What is about no field, such as the state of a record, is told when that is all.
    found.push(...(refusal?.ofFields ?? []));
  }
  return found;
}

/** Whether it says nothing of the request: it could not be looked at. */
const isForNow = ({ code }: Problem): boolean => errorStatus[code] === 429 || errorStatus[code] >= 500;

/**
 * Runs a verb with a request that was parsed by the very schemas that its types are read from, and with what it
 * learned before its transaction. Records that it names are looked at first, because none is there for an actor that
 * may not see it. Raises what the verb does, and VALIDATION_ERROR for such records.
 */
export async function runVerb(
  id: VerbId,
  context: Reading<Actor> | Writing<Actor>,
  parsed: ParsedRequest,
  learned?: unknown,
): Promise<unknown> {
  const { check, run } = stepsOf(id);
  const named = await withNamedRecords(context, everyOperation[id], parsed);
  const found = await check?.(context as never, wholly(named) as never);
  return run(context as never, { ...named, learned } as never, found);
}
