/**
 * How an id is chosen by name. `list` is the operation that lists candidates, `items` the path inside each listed
 * item where the candidates stand (stages stand inside pipelines), `parent` the list's parameter (or, with `items`,
 * the listed item's own id) that a sibling field narrows by, `get` the operation that reads one by id.
 */
export interface Reference {
  readonly list: string;
  readonly get?: string;
  readonly items?: string;
  readonly parent?: string;
  /** Field of a candidate that is its id; `id` when absent. */
  readonly value?: 'uuid';
  /** Fields of a candidate that name it, with dots where one stands deeper, the best first; `name` when absent. */
  readonly names?: readonly [string, ...string[]];
  /** Fields that tell candidates of one name apart, the best first. */
  readonly apart?: readonly string[];
  /** Addresses and numbers of a candidate's own, as good as its name; a filter of the list of that name finds it. */
  readonly known?: readonly string[];
  /** What the list is asked for so that it leaves out what was put away and can no longer be changed. */
  readonly inUse?: Readonly<Record<string, boolean>>;
}

export const references = {
  company: {
    list: 'companies.list',
    get: 'companies.get',
    apart: ['email'],
    known: ['email', 'registration_id', 'tax_id', 'vat_id'],
  },
  contact: {
    list: 'contacts.list',
    get: 'contacts.get',
    parent: 'company_id',
    apart: ['email', 'company.name'],
    known: ['email'],
  },
  client: {
    list: 'clients.list',
    get: 'clients.get',
    names: ['company.name'],
    known: ['reference_code'],
  },
  lead: {
    list: 'leads.list',
    get: 'leads.get',
    names: ['name', 'company.name'],
    apart: ['company.name'],
    inUse: { archived: false },
  },
  activity: { list: 'activities.list', get: 'activities.get', apart: ['company.name', 'start_at'] },
  task: {
    list: 'tasks.list',
    get: 'tasks.get',
    names: ['title'],
    apart: ['company.name'],
    inUse: { archived: false },
  },
  invoice: {
    list: 'invoices.list',
    get: 'invoices.get',
    names: ['number'],
    known: ['variable_symbol'],
  },
  booking: { list: 'bookings.list', get: 'bookings.get', names: ['customer.name'], apart: ['starts_at'] },
  order: {
    list: 'orders.list',
    get: 'orders.get',
    value: 'uuid',
    names: ['internal_number'],
    apart: ['customer_name'],
    known: ['external_id'],
  },
  user: { list: 'users.list', apart: ['email'], known: ['email'] },
  pipeline: { list: 'pipelines.list' },
  stage: { list: 'pipelines.list', items: 'stages', parent: 'pipeline_id' },
  'lead-origin': { list: 'lead-origins.list' },
  'lost-reason': { list: 'lost-reasons.list' },
  tag: { list: 'tags.list' },
  'custom-field': { list: 'custom-fields.list' },
  'activity-type': { list: 'activity-types.list' },
  project: { list: 'projects.list' },
  'project-stage': { list: 'projects.list', items: 'stages', parent: 'project_id' },
  'booking-service': { list: 'booking-services.list' },
  'booking-staff': { list: 'booking-staff.list', apart: ['email'], known: ['email'] },
  product: {
    list: 'products.list',
    get: 'products.get',
    value: 'uuid',
    apart: ['sku'],
    known: ['sku', 'ean'],
  },
  'product-category': { list: 'product-categories.list' },
  webhook: { list: 'webhooks.list', get: 'webhooks.get', names: ['name', 'target_url'] },
} as const satisfies Record<string, Reference>;

export type ReferenceName = keyof typeof references;

/** The references to records that a role can keep from people; what the others name can be chosen by anyone. */
export const recordReferences = [
  'company',
  'contact',
  'client',
  'lead',
  'activity',
  'task',
  'invoice',
  'booking',
  'order',
  'product',
] as const satisfies readonly ReferenceName[];

export type RecordReference = (typeof recordReferences)[number];

export const isRecordReference = (name: string): name is RecordReference =>
  recordReferences.some((each) => each === name);

/** The fields of a reference's candidates that name them, the best first. */
export const namesOf = ({ names = ['name'] }: Reference): readonly [string, ...string[]] => names;
