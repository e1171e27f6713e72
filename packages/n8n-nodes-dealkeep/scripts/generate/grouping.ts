// What n8n needs beyond the contract, in data: names of operations in n8n's words, matching for "create or update",
// the handful of fields of a simplified record, and wording where n8n's rules ask for a special form.
// A resource that is not named here gets the defaults and works.
import type { OperationId, ResourceName } from '@dealkeep/contract';

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

/** How "create or update" recognises an existing record, the best way first, and what the search is limited to. */
export const upserts: Partial<
  Record<ResourceName, { matchBy: readonly [string, ...string[]]; within: readonly string[] }>
> = {
  company: { matchBy: ['registration_id', 'email', 'vat_id', 'tax_id', 'name'], within: [] },
  contact: { matchBy: ['email', 'phone', 'name'], within: ['company_id'] },
};

/** Operation values that do not follow from the operation's id. */
export const operationNames: Partial<Record<OperationId, { value: string; name: string }>> = {
  'webhooks.events': { value: 'getEventTypes', name: 'Get Many Event Types' },
  'webhooks.sample': { value: 'getSample', name: 'Get Sample Event' },
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
