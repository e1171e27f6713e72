import type * as z from 'zod';
import { Activity, activityLabel } from './resources/activities.ts';
import { Booking, bookingLabel } from './resources/bookings.ts';
import { Client, clientLabel } from './resources/clients.ts';
import { Company, companyLabel } from './resources/companies.ts';
import { Contact, contactLabel } from './resources/contacts.ts';
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
import { Product, productLabel } from './resources/products.ts';
import { Quote, quoteLabel } from './resources/quotes.ts';
import { Task, taskLabel } from './resources/tasks.ts';
import { RestHook, webhookLabel } from './resources/webhooks.ts';
import { type Text, text } from './text.ts';

export interface ResourceDeclaration {
  readonly label: Text;
  readonly plural: Text;
  /** The record as its GET answers it. */
  readonly schema: z.ZodObject;
  /** `lookup` resources are lists to choose from; `record` resources are what the business works with. */
  readonly kind: 'record' | 'lookup' | 'service';
}

export const resources = {
  me: {
    label: text('Connection', 'Pripojenie'),
    plural: text('Connections', 'Pripojenia'),
    schema: Me,
    kind: 'service',
  },
  company: { label: companyLabel, plural: text('Companies', 'Firmy'), schema: Company, kind: 'record' },
  contact: { label: contactLabel, plural: text('Contacts', 'Kontakty'), schema: Contact, kind: 'record' },
  lead: { label: leadLabel, plural: text('Leads', 'Príležitosti'), schema: Lead, kind: 'record' },
  client: { label: clientLabel, plural: text('Clients', 'Klienti'), schema: Client, kind: 'record' },
  activity: {
    label: activityLabel,
    plural: text('Activities', 'Aktivity'),
    schema: Activity,
    kind: 'record',
  },
  task: { label: taskLabel, plural: text('Tasks', 'Úlohy'), schema: Task, kind: 'record' },
  invoice: { label: invoiceLabel, plural: text('Invoices', 'Faktúry'), schema: Invoice, kind: 'record' },
  quote: { label: quoteLabel, plural: text('Quotes', 'Cenové ponuky'), schema: Quote, kind: 'record' },
  booking: { label: bookingLabel, plural: text('Bookings', 'Rezervácie'), schema: Booking, kind: 'record' },
  order: { label: orderLabel, plural: text('Orders', 'Objednávky'), schema: Order, kind: 'record' },
  product: { label: productLabel, plural: text('Products', 'Produkty'), schema: Product, kind: 'record' },
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
} as const satisfies Record<string, ResourceDeclaration>;

export type ResourceName = keyof typeof resources;

export const resourceNames = Object.keys(resources).filter((name): name is ResourceName => name in resources);
