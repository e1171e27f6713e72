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
  /** Field of a candidate that names it, with dots where it stands deeper; `name` when absent. */
  readonly label?: string;
}

export const references = {
  company: { list: 'companies.list', get: 'companies.get' },
  contact: { list: 'contacts.list', get: 'contacts.get', parent: 'company_id' },
  client: { list: 'clients.list', get: 'clients.get', label: 'company.name' },
  lead: { list: 'leads.list', get: 'leads.get' },
  activity: { list: 'activities.list', get: 'activities.get' },
  task: { list: 'tasks.list', get: 'tasks.get', label: 'title' },
  invoice: { list: 'invoices.list', get: 'invoices.get', label: 'number' },
  booking: { list: 'bookings.list', get: 'bookings.get', label: 'customer.name' },
  order: { list: 'orders.list', get: 'orders.get', value: 'uuid', label: 'internal_number' },
  user: { list: 'users.list' },
  pipeline: { list: 'pipelines.list' },
  stage: { list: 'pipelines.list', items: 'stages', parent: 'pipeline_id' },
  'lead-origin': { list: 'lead-origins.list' },
  'lost-reason': { list: 'lost-reasons.list' },
  'activity-type': { list: 'activity-types.list' },
  project: { list: 'projects.list' },
  'project-stage': { list: 'projects.list', items: 'stages', parent: 'project_id' },
  'booking-service': { list: 'booking-services.list' },
  'booking-staff': { list: 'booking-staff.list' },
  product: { list: 'products.list', get: 'products.get', value: 'uuid' },
  'product-category': { list: 'product-categories.list' },
  webhook: { list: 'webhooks.list', get: 'webhooks.get' },
} as const satisfies Record<string, Reference>;

export type ReferenceName = keyof typeof references;
