// What n8n needs beyond the contract, in data: names of operations in n8n's words, matching for "create or update",
// the handful of fields of a simplified record, and wording where n8n's rules ask for a special form.
// A resource that is not named here gets the defaults and works.
import type { OperationId, ResourceName } from '@dealkeep/contract';
import type { UpsertTable } from '../../nodes/shared/tables.ts';

/** Fields of a record in simplified form. Default: its first ten fields that are neither lists nor long texts. */
export const simplified: Partial<Record<ResourceName, readonly string[]>> = {
  company: [
    'id',
    'name',
    'email',
    'phone',
    'registration_id',
    'country_code',
    'owner',
    'tags',
    'updated_at',
    'app_url',
  ],
  contact: [
    'id',
    'name',
    'company',
    'email',
    'phone',
    'position',
    'is_primary',
    'note',
    'updated_at',
    'app_url',
  ],
  lead: [
    'id',
    'name',
    'status',
    'value',
    'company',
    'contact',
    'owner',
    'pipeline',
    'stage',
    'deduplicated',
    'app_url',
  ],
  activity: [
    'id',
    'name',
    'status',
    'start_at',
    'end_at',
    'assignee',
    'company',
    'contact',
    'lead',
    'app_url',
  ],
  task: [
    'id',
    'title',
    'priority',
    'due_date',
    'completed_at',
    'assignees',
    'company',
    'project',
    'stage',
    'app_url',
  ],
  invoice: [
    'id',
    'number',
    'status',
    'issued_date',
    'due_date',
    'total',
    'remaining_amount',
    'currency',
    'counterparty',
    'app_url',
  ],
  booking: [
    'id',
    'status',
    'starts_at',
    'ends_at',
    'service',
    'staff',
    'customer',
    'price',
    'currency',
    'app_url',
  ],
  order: [
    'uuid',
    'internal_number',
    'external_id',
    'status',
    'payment_status',
    'grand_total',
    'currency',
    'customer_name',
    'customer_email',
    'app_url',
  ],
  product: [
    'uuid',
    'name',
    'sku',
    'ean',
    'price',
    'discounted_price',
    'active',
    'stock_on_hand',
    'stock_available',
    'app_url',
  ],
};

/**
 * How "create or update" recognises an existing record, the best way first. An e-mail address is one person's in the whole
 * organization; a telephone can be of several, so a company that is given narrows it; a name says nothing without one.
 */
export const upserts: Partial<
  Record<ResourceName, readonly Pick<UpsertTable['matchBy'][number], 'field' | 'within'>[]>
> = {
  company: ['registration_id', 'email', 'vat_id', 'tax_id', 'name'].map((field) => ({ field })),
  contact: [
    { field: 'email' },
    { field: 'phone', within: { field: 'company_id', needed: false } },
    { field: 'name', within: { field: 'company_id', needed: true } },
  ],
};

/** What a field does to a record that exists already, where "create or update" asks for it to create one. */
export const uponUpdate: Readonly<Record<string, string>> = {
  company_id: 'A contact that exists moves to it.',
  name: 'One that exists is renamed.',
};

/** Operation values that do not follow from the operation's id. */
export const operationNames: Partial<Record<OperationId, { value: string; name: string }>> = {
  'webhooks.events': { value: 'getEventTypes', name: 'Get Many Event Types' },
  'webhooks.sample': { value: 'getSample', name: 'Get Sample Event' },
};

/**
 * What an operation does, as the list of operations tells it. n8n writes these as orders and in the words of the form,
 * where the contract describes and speaks of what is sent. Reading and changing a record need no entry.
 */
export const operationDescriptions: Partial<Record<OperationId, string>> = {
  'me.get': 'Retrieve whose data this credential reaches, and its limits',
  'companies.create':
    'Add a company. Nothing is matched: look for an existing one first, or use Create or Update.',
  'contacts.create': 'Add a person to a company',
  'clients.create': 'Make a company a client. A company is a client once.',
  'leads.create':
    'Add a lead. Its company and contact can be described too, and are then matched or created.',
  'leads.move': 'Place a lead in a stage of its pipeline. A won or a lost stage decides the lead.',
  'leads.archive': 'Put a lead away. An archived lead can be read but no longer changed.',
  'activities.create': 'Plan a meeting, a call or the like',
  'activities.complete': 'Close an open activity. A closed one stays as it is.',
  'tasks.create': 'Add a task. In a project without a stage it begins in the first one.',
  'invoices.create': 'Record an issued invoice under the next number of its year. No money is moved.',
  'bookings.create':
    'Book a service. Its end follows from the duration. A staff member is booked once at a time.',
  'bookings.cancel': 'Cancel a pending or confirmed booking',
  'orders.create': 'Record an order and reserve its stock. No money is moved.',
  'webhooks.list': 'Retrieve a list of the REST hooks of this credential',
  'webhooks.create':
    'Send events to an address of yours. To start a workflow, use the Dealkeep Trigger instead.',
  'webhooks.delete': 'Delete a REST hook. What was still to be delivered to it is dropped.',
  'webhooks.events': 'Retrieve a list of the events that a REST hook can be made for',
  'webhooks.sample': 'Retrieve an event with realistic values, in the form in which it is delivered',
};

/** What stands where a form would be empty, as the API requires nothing although nothing makes no sense. */
export const notices: Partial<Record<OperationId, string>> = {
  'leads.create': 'Give the lead a name or a company under Additional Fields. Without them it has neither.',
};

/** What an update does besides changing fields. */
export const besidesChanging: Partial<Record<OperationId, string>> = {
  'leads.update': 'A stage or a pipeline moves the lead',
  'tasks.update': 'A project stage moves the task, and Completed completes or reopens it',
};

/** Body fields that the node leaves out, because another field says the same. */
export const hidden: Partial<Record<OperationId, readonly string[]>> = { 'webhooks.create': ['event'] };

/** Texts that are one of the event types. */
export const eventFields: Partial<Record<OperationId, readonly string[]>> = {
  'webhooks.create': ['events'],
  'webhooks.sample': ['type'],
};

/** Filters that name a record by something else than its id. */
export const namedFilters: Readonly<Record<string, { resource: ResourceName; value: string }>> = {
  tag: { resource: 'tag', value: 'name' },
};

/** Labels that would be ambiguous beside others of the same operation. */
export const labels: Partial<Record<OperationId, Readonly<Record<string, string>>>> = {
  'leads.create': { company: 'Company to Match or Create', contact: 'Contact to Match or Create' },
  'webhooks.sample': { type: 'Event' },
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
};

/** Filters of the trigger by resource: the parameter's contract field, and where the record holds the id. */
export const triggerFilters: Partial<
  Record<
    ResourceName,
    readonly { field: string; reference: 'pipeline' | 'stage'; path: string; dependsOn?: string }[]
  >
> = {
  lead: [
    { field: 'pipeline_id', reference: 'pipeline', path: 'pipeline.id' },
    { field: 'stage_id', reference: 'stage', path: 'stage.id', dependsOn: 'pipeline_id' },
  ],
};

/** Optional numbers of items that stand in the form at once: without them the API takes what the form shows. */
export const atOnce: Partial<Record<OperationId, readonly string[]>> = { 'invoices.create': ['quantity'] };
