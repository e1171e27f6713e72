import type * as z from 'zod';
import { Activity, activityLabel } from './resources/activities.ts';
import { ApiKey, apiKeyLabel } from './resources/api-keys.ts';
import { AuditEntry, auditEntryLabel } from './resources/audit-entries.ts';
import { Booking, bookingLabel } from './resources/bookings.ts';
import { Client, clientLabel } from './resources/clients.ts';
import { Company, companyLabel } from './resources/companies.ts';
import { Contact, contactLabel } from './resources/contacts.ts';
import { deliveryLabel, HookDelivery } from './resources/deliveries.ts';
import { eventLabel } from './resources/event-feed.ts';
import { Invoice, invoiceLabel } from './resources/invoices.ts';
import { Lead, leadLabel } from './resources/leads.ts';
import {
  ActivityTypeItem,
  BookingServiceItem,
  BookingStaffItem,
  CustomFieldItem,
  LeadOriginItem,
  LostReasonItem,
  PipelineItem,
  ProductCategoryItem,
  ProjectItem,
  TagItem,
  UserItem,
} from './resources/lookups.ts';
import { Me } from './resources/me.ts';
import { Order, orderLabel } from './resources/orders.ts';
import { Organization, organizationLabel } from './resources/organizations.ts';
import { Product, productLabel } from './resources/products.ts';
import { Quote, quoteLabel } from './resources/quotes.ts';
import { SavedView, savedViewLabel } from './resources/saved-views.ts';
import { SearchResult, searchResultLabel } from './resources/search.ts';
import { Task, taskLabel } from './resources/tasks.ts';
import { Envelope, RestHook, webhookLabel } from './resources/webhooks.ts';
import { type Text, text } from './text.ts';

export interface ResourceDeclaration {
  readonly label: Text;
  readonly plural: Text;
  /** The record as its GET answers it. */
  readonly schema: z.ZodObject;
  /** `lookup` resources are lists to choose from; `record` resources are what the business works with. */
  readonly kind: 'record' | 'lookup' | 'service';
  /** The fields that say the most, of a record that has many: what is shown where all would be too much. */
  readonly brief?: readonly string[];
}

export const resources = {
  me: {
    label: text('Connection', 'Pripojenie'),
    plural: text('Connections', 'Pripojenia'),
    schema: Me,
    kind: 'service',
  },
  company: {
    label: companyLabel,
    plural: text('Companies', 'Firmy'),
    schema: Company,
    kind: 'record',
    brief: [
      'id',
      'name',
      'email',
      'phone',
      'registration_id',
      'owner',
      'tags',
      'custom_fields',
      'updated_at',
      'app_url',
    ],
  },
  contact: {
    label: contactLabel,
    plural: text('Contacts', 'Kontakty'),
    schema: Contact,
    kind: 'record',
    brief: [
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
  },
  lead: {
    label: leadLabel,
    plural: text('Leads', 'Príležitosti'),
    schema: Lead,
    kind: 'record',
    brief: ['id', 'name', 'status', 'value', 'company', 'contact', 'owner', 'stage', 'pipeline', 'app_url'],
  },
  client: { label: clientLabel, plural: text('Clients', 'Klienti'), schema: Client, kind: 'record' },
  activity: {
    label: activityLabel,
    plural: text('Activities', 'Aktivity'),
    schema: Activity,
    kind: 'record',
    brief: [
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
  },
  task: {
    label: taskLabel,
    plural: text('Tasks', 'Úlohy'),
    schema: Task,
    kind: 'record',
    brief: [
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
  },
  invoice: {
    label: invoiceLabel,
    plural: text('Invoices', 'Faktúry'),
    schema: Invoice,
    kind: 'record',
    brief: [
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
  },
  quote: { label: quoteLabel, plural: text('Quotes', 'Cenové ponuky'), schema: Quote, kind: 'record' },
  booking: {
    label: bookingLabel,
    plural: text('Bookings', 'Rezervácie'),
    schema: Booking,
    kind: 'record',
    brief: [
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
  },
  order: {
    label: orderLabel,
    plural: text('Orders', 'Objednávky'),
    schema: Order,
    kind: 'record',
    brief: [
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
  },
  product: {
    label: productLabel,
    plural: text('Products', 'Produkty'),
    schema: Product,
    kind: 'record',
    brief: [
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
  },
  user: {
    label: text('User', 'Používateľ'),
    plural: text('Users', 'Používatelia'),
    schema: UserItem,
    kind: 'lookup',
  },
  pipeline: {
    label: text('Pipeline', 'Pipeline'),
    plural: text('Pipelines', 'Pipeline'),
    schema: PipelineItem,
    kind: 'lookup',
  },
  'lead-origin': {
    label: text('Lead Origin', 'Zdroj príležitosti'),
    plural: text('Lead Origins', 'Zdroje príležitostí'),
    schema: LeadOriginItem,
    kind: 'lookup',
  },
  'lost-reason': {
    label: text('Lost Reason', 'Dôvod straty'),
    plural: text('Lost Reasons', 'Dôvody straty'),
    schema: LostReasonItem,
    kind: 'lookup',
  },
  tag: { label: text('Tag', 'Štítok'), plural: text('Tags', 'Štítky'), schema: TagItem, kind: 'lookup' },
  'custom-field': {
    label: text('Custom Field', 'Vlastné pole'),
    plural: text('Custom Fields', 'Vlastné polia'),
    schema: CustomFieldItem,
    kind: 'lookup',
  },
  'activity-type': {
    label: text('Activity Type', 'Typ aktivity'),
    plural: text('Activity Types', 'Typy aktivít'),
    schema: ActivityTypeItem,
    kind: 'lookup',
  },
  project: {
    label: text('Project', 'Projekt'),
    plural: text('Projects', 'Projekty'),
    schema: ProjectItem,
    kind: 'lookup',
  },
  'product-category': {
    label: text('Product Category', 'Kategória produktov'),
    plural: text('Product Categories', 'Kategórie produktov'),
    schema: ProductCategoryItem,
    kind: 'lookup',
  },
  'booking-service': {
    label: text('Booking Service', 'Rezervovateľná služba'),
    plural: text('Booking Services', 'Rezervovateľné služby'),
    schema: BookingServiceItem,
    kind: 'lookup',
  },
  'booking-staff': {
    label: text('Staff Member', 'Pracovník'),
    plural: text('Staff Members', 'Pracovníci'),
    schema: BookingStaffItem,
    kind: 'lookup',
  },
  webhook: {
    label: webhookLabel,
    plural: text('REST Hooks', 'REST hooky'),
    schema: RestHook,
    kind: 'service',
  },
  delivery: {
    label: deliveryLabel,
    plural: text('Deliveries', 'Doručenia'),
    schema: HookDelivery,
    kind: 'service',
  },
  event: {
    label: eventLabel,
    plural: text('Events', 'Udalosti'),
    schema: Envelope,
    kind: 'service',
  },
  search: {
    label: searchResultLabel,
    plural: text('Search Results', 'Výsledky hľadania'),
    schema: SearchResult,
    kind: 'service',
  },
  view: {
    label: savedViewLabel,
    plural: text('Views', 'Pohľady'),
    schema: SavedView,
    kind: 'service',
  },
  organization: {
    label: organizationLabel,
    plural: text('Organizations', 'Organizácie'),
    schema: Organization,
    kind: 'service',
  },
  key: {
    label: apiKeyLabel,
    plural: text('API Keys', 'API kľúče'),
    schema: ApiKey,
    kind: 'service',
  },
  'audit-entry': {
    label: auditEntryLabel,
    plural: text('Audit Log', 'Záznam auditu'),
    schema: AuditEntry,
    kind: 'service',
  },
} as const satisfies Record<string, ResourceDeclaration>;

export type ResourceName = keyof typeof resources;

export const resourceNames = Object.keys(resources).filter((name): name is ResourceName => name in resources);
