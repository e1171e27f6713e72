// What n8n needs beyond the contract, in data: names of operations in n8n's words, matching for "create or update",
// and wording where n8n's rules ask for a special form.
// A resource that is not named here gets the defaults and works.
import type { OperationId } from '@dealkeep/contract';
import { resources, searchedKindNames } from '@dealkeep/contract';
import type { Selection } from './choices.ts';
import { eventOptions } from './constants.ts';
import type { Identifier, Option } from './property.ts';
import { titleCase } from './wording.ts';

/** Operations of the API that the node does not offer, and why. */
export const leftOut: Partial<Record<OperationId, string>> = {
  'companies.batch': 'Send in Batches does it for the items of the node',
  'contacts.batch': 'Send in Batches does it for the items of the node',
  'clients.batch': 'Send in Batches does it for the items of the node',
  'leads.batch': 'Send in Batches does it for the items of the node',
  'activities.batch': 'Send in Batches does it for the items of the node',
  'tasks.batch': 'Send in Batches does it for the items of the node',
};

/** Fields of the API that the node does not ask for, and why. */
export const leftOutFields: Partial<Record<OperationId, Readonly<Record<string, string>>>> = {
  'events.list': { wait: 'to wait for an event is what the triggers do' },
};

/** An operation that sets certain fields of another one, as people call it. */
export interface Shortcut {
  readonly of: OperationId;
  readonly value: string;
  readonly name: string;
  readonly description: string;
  readonly whenToUse: string;
  readonly sends: Readonly<Record<string, unknown>>;
}

export const shortcuts: readonly Shortcut[] = [
  {
    of: 'tasks.update',
    value: 'complete',
    name: 'Complete',
    description: 'Mark a task as done',
    whenToUse: 'Use it when the ID is known.',
    sends: { completed: true },
  },
  {
    of: 'tasks.update',
    value: 'reopen',
    name: 'Reopen',
    description: 'Mark a task as to be done again',
    whenToUse: 'Use it when the ID is known.',
    sends: { completed: false },
  },
];

/**
 * Of which records an operation offers the list: of those that it can do something with. By resource and operation.
 */
export const candidates: Readonly<Record<string, Selection>> = {
  'task.complete': { called: 'open', query: { archived: 'false', completed: 'false' } },
  'task.reopen': { called: 'completed', query: { archived: 'false', completed: 'true' } },
  'activity.complete': { called: 'open', query: { status: 'open' } },
  'booking.cancel': { called: 'coming', query: { status: 'pending,confirmed' } },
};

/** Fields that stand on top although they can be left out: without them a record says nothing. */
export const onTop: Partial<Record<OperationId, readonly string[]>> = {
  'leads.create': ['name', 'company_id'],
};

/** Texts that hold several values of a known list, separated by commas. */
export const severalOf: Partial<
  Record<OperationId, Readonly<Record<string, Identifier | readonly Option[]>>>
> = {
  'search.all': {
    types: searchedKindNames.map((name) => ({ name: titleCase(resources[name].label.en), value: name })),
  },
  'events.list': { types: eventOptions },
};

/** What a field does, where "create or update" asks for it because a new record needs it. By resource. */
export const uponUpsert: Readonly<Record<string, Readonly<Record<string, string>>>> = {
  company: { name: 'One that exists is renamed.' },
  contact: { company_id: 'When it is filled in, only there is looked.', name: 'One that exists is renamed.' },
};

/** Operation values that do not follow from the operation's id. */
export const operationNames: Partial<Record<OperationId, { value: string; name: string; action?: string }>> =
  {
    'webhooks.events': { value: 'getEventTypes', name: 'Get Many Event Types' },
    'webhooks.sample': { value: 'getSample', name: 'Get Sample Event' },
    'webhooks.test': { value: 'sendTest', name: 'Send Test Event' },
    'webhooks.recover': { value: 'recover', name: 'Send Failed Deliveries Again' },
    'webhook-deliveries.resend': { value: 'resend', name: 'Send Delivery Again' },
    'booking-services.availability': {
      value: 'getAvailability',
      name: 'Get Availability',
      action: 'Get availability of booking service',
    },
    'search.all': { value: 'search', name: 'Search Everything' },
  };

/** What n8n has for the same purpose, said after what the contract says that an operation does. */
export const besides: Partial<Record<OperationId, string>> = {
  'companies.create': ', or use Create or Update',
  'webhooks.create': '. To start a workflow, use the Dealkeep Trigger instead',
};

/** Labels that would be ambiguous beside others of the same operation. */
export const labels: Partial<Record<OperationId, Readonly<Record<string, string>>>> = {
  'leads.create': { company: 'Company to Match or Create', contact: 'Contact to Match or Create' },
  // As the triggers call it.
  'webhooks.create': { changed_fields: 'Fields to Watch' },
  'webhooks.update': { changed_fields: 'Fields to Watch' },
  'webhooks.sample': { type: 'Event' },
  'companies.update': { add_tags: 'Add Tags', remove_tags: 'Remove Tags' },
  'leads.update': { add_tags: 'Add Tags', remove_tags: 'Remove Tags' },
};

/** Yes-or-no fields, which n8n describes with "Whether". */
export const whether: Readonly<Record<string, string>> = {
  is_primary: 'Whether this is the main contact of the company',
  archived: 'Whether to return archived records instead of those in use',
  completed: 'Whether the task is completed',
  is_paid: 'Whether the invoice is paid in full',
  is_overdue: 'Whether the due date has passed without full payment',
  active: 'Whether the product is on sale',
  auto_confirm: 'Whether the order is confirmed at once',
  only_failed: 'Whether to send only those again whose last attempt failed',
};

/** Optional numbers of items that stand in the form at once: without them the API takes what the form shows. */
export const atOnce: Partial<Record<OperationId, readonly string[]>> = { 'invoices.create': ['quantity'] };
