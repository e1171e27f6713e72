// What n8n needs beyond the contract, in data: names of operations in n8n's words, matching for "create or update",
// and wording where n8n's rules ask for a special form.
// A resource that is not named here gets the defaults and works.
import type { OperationId, ResourceName } from '@dealkeep/contract';
import type { UpsertTable } from '../../nodes/shared/tables.ts';

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

/** When a language model takes "create or update". */
export const whenToUpsert = 'Use it when it is not known whether the record exists.';

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

/** What n8n has for the same purpose, said after what the contract says that an operation does. */
export const besides: Partial<Record<OperationId, string>> = {
  'companies.create': ', or use Create or Update',
  'webhooks.create': '. To start a workflow, use the Dealkeep Trigger instead',
};

/** What stands where a form would be empty, as the API requires nothing although nothing makes no sense. */
export const notices: Partial<Record<OperationId, string>> = {
  'leads.create': 'Give the lead a name or a company under Additional Fields. Without them it has neither.',
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

/** Optional numbers of items that stand in the form at once: without them the API takes what the form shows. */
export const atOnce: Partial<Record<OperationId, readonly string[]>> = { 'invoices.create': ['quantity'] };
