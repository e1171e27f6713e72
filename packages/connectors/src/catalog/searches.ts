import {
  commonListParameters,
  type OperationDeclaration,
  type OperationId,
  operationIds,
  operations,
  type ReferenceName,
} from '@dealkeep/contract';
import { isAboutRecords, singular, titleCase } from './words-of-contract.ts';

/** What the contract does not say of a search. */
export interface SearchDeclaration {
  readonly list: OperationId;
  /** What stands inside the listed records, where that is found and not they: the stages of pipelines. */
  readonly inside?: ReferenceName;
  readonly description: string;
  /** Filters of the list to search by, in the order of the form; references and choices narrow the rest. */
  readonly filters: readonly string[];
  /** Filters of the list that cannot be offered. */
  readonly leftOut?: readonly string[];
  /** What a record is called is made of other texts, so the list's own search does not find it. */
  readonly madeName?: true;
  /** The action that makes the record when none is found, and the name of both together. */
  readonly orCreate?: {
    readonly operation: OperationId;
    readonly label: string;
    readonly description: string;
  };
}

const worded: readonly SearchDeclaration[] = [
  {
    list: 'leads.list',
    description: 'Finds a lead by its name, company, contact or stage.',
    filters: [
      'q',
      'status',
      'company_id',
      'contact_id',
      'owner_id',
      'pipeline_id',
      'stage_id',
      'origin_id',
      'tag',
      'expected_close_after',
      'expected_close_before',
      'archived',
      'won_after',
      'won_before',
    ],
    orCreate: {
      operation: 'leads.create',
      label: 'Find or Create Lead',
      description: 'Finds a lead, or creates one when there is none.',
    },
  },
  {
    list: 'companies.list',
    description: 'Finds a company by its name, e-mail or registration numbers.',
    filters: [
      'q',
      'email',
      'registration_id',
      'tax_id',
      'vat_id',
      'country_code',
      'owner_id',
      'tag',
      'custom_field',
    ],
    orCreate: {
      operation: 'companies.create',
      label: 'Find or Create Company',
      description: 'Finds a company, or creates one when there is none.',
    },
  },
  {
    list: 'contacts.list',
    description: 'Finds a contact by name, e-mail, phone or company.',
    filters: ['q', 'email', 'phone', 'company_id', 'is_primary'],
    orCreate: {
      operation: 'contacts.create',
      label: 'Find or Create Contact',
      description: 'Finds a contact, or creates one when there is none.',
    },
  },
  {
    list: 'clients.list',
    description: 'Finds a client by its company, reference or owner.',
    filters: ['q', 'reference_code', 'company_id', 'owner_id'],
    orCreate: {
      operation: 'clients.create',
      label: 'Find or Create Client',
      description: 'Finds a client, or makes a company one when there is none.',
    },
  },
  {
    list: 'activities.list',
    description: 'Finds an activity by its name, state, people or company.',
    filters: [
      'q',
      'status',
      'company_id',
      'contact_id',
      'lead_id',
      'owner_id',
      'assignee_id',
      'type_id',
      'start_after',
      'start_before',
    ],
  },
  {
    list: 'tasks.list',
    description: 'Finds a task by its title, state, assignee or project.',
    filters: [
      'q',
      'completed',
      'archived',
      'assignee_id',
      'company_id',
      'lead_id',
      'project_id',
      'stage_id',
      'priority',
      'due_after',
      'due_before',
    ],
  },
  {
    list: 'invoices.list',
    description: 'Finds an invoice by its number, state or customer.',
    filters: ['q', 'variable_symbol', 'status', 'is_paid', 'is_overdue', 'client_id', 'company_id'],
  },
  {
    list: 'bookings.list',
    description: 'Finds a booking by its customer, service, staff member or time.',
    filters: ['q', 'email', 'status', 'service_id', 'staff_id', 'client_id', 'starts_after', 'starts_before'],
  },
  {
    list: 'orders.list',
    description: 'Finds an order by its number, customer, external ID or state.',
    filters: [
      'q',
      'external_id',
      'external_source',
      'customer_email',
      'status',
      'payment_status',
      'client_uuid',
      'company_uuid',
    ],
  },
  {
    list: 'products.list',
    description: 'Finds a product by its name, SKU or EAN.',
    filters: ['q', 'sku', 'ean', 'category_uuid', 'active'],
    // It filters nothing.
    leftOut: ['include'],
  },
];

const ofLookups: readonly SearchDeclaration[] = [
  { list: 'users.list', description: 'Finds a user by name or e-mail.', filters: ['q', 'email'] },
  { list: 'pipelines.list', description: 'Finds a pipeline by its name.', filters: ['q'] },
  {
    list: 'pipelines.list',
    inside: 'stage',
    description: 'Finds a stage by its name, in one pipeline or in all of them.',
    filters: ['q', 'pipeline_id'],
  },
  { list: 'lead-origins.list', description: 'Finds a lead origin by its name.', filters: ['q'] },
  { list: 'lost-reasons.list', description: 'Finds a lost reason by its name.', filters: ['q'] },
  { list: 'tags.list', description: 'Finds a tag by its name.', filters: ['q'] },
  {
    list: 'custom-fields.list',
    description: 'Finds a custom field of companies by its name.',
    filters: ['q'],
  },
  { list: 'activity-types.list', description: 'Finds an activity type by its name.', filters: ['q'] },
  { list: 'projects.list', description: 'Finds a project by its name.', filters: ['q'] },
  {
    list: 'projects.list',
    inside: 'project-stage',
    description: 'Finds a stage of a project by its name, in one project or in all of them.',
    filters: ['q', 'project_id'],
  },
  { list: 'booking-services.list', description: 'Finds a service to book by its name.', filters: ['q'] },
  { list: 'booking-staff.list', description: 'Finds a staff member by name.', filters: ['q'] },
  {
    list: 'product-categories.list',
    madeName: true,
    description: 'Finds a product category by the name of one of its products.',
    filters: ['q'],
  },
];

/** The search over a list of records that no words stand for above: by all that it can be filtered by. */
function searchOf(list: OperationId, { query, resource }: OperationDeclaration): SearchDeclaration {
  const creating = operationIds.find(
    (id) => operations[id].kind === 'create' && operations[id].resource === resource,
  );
  const filters = Object.keys(query?.shape ?? {}).filter((name) => !commonListParameters.includes(name));
  const one = singular(resource);
  const found = { list, description: `Finds ${one}.`, filters };
  if (creating === undefined) return found;
  return {
    ...found,
    orCreate: {
      operation: creating,
      label: `Find or Create ${titleCase(one.replace(/^an? /, ''))}`,
      description: `Finds ${one}, or creates one when there is none.`,
    },
  };
}

const isWorded = (id: OperationId): boolean => worded.some(({ list }) => list === id);

/** In the order in which the editor lists them; records of which nothing is said above follow the others. */
export const searches: readonly SearchDeclaration[] = [
  ...worded,
  ...operationIds.flatMap((id) => {
    const declaration: OperationDeclaration = operations[id];
    const isList = declaration.kind === 'list' && isAboutRecords(declaration);
    return isList && !isWorded(id) ? [searchOf(id, declaration)] : [];
  }),
  ...ofLookups,
];

/** The search over every kind of record. */
export const searchOfEverything = {
  key: 'search_everything',
  label: 'Search Everything',
  description: 'Finds records of every kind by a name, a number, an e-mail address or a phone number.',
} as const;
