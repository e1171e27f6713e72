import { inOrder, type Records, recordKindNames, records } from './records.ts';
import type { ResourceDeclaration } from './resource.ts';
import { ApiKey, apiKeyLabel } from './resources/api-keys.ts';
import { AuditEntry, auditEntryLabel } from './resources/audit-entries.ts';
import { deliveryLabel, HookDelivery } from './resources/deliveries.ts';
import { eventLabel } from './resources/event-feed.ts';
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
import { Organization, organizationLabel } from './resources/organizations.ts';
import { SavedView, savedViewLabel } from './resources/saved-views.ts';
import { SearchResult, searchResultLabel } from './resources/search.ts';
import { Envelope, RestHook, webhookLabel } from './resources/webhooks.ts';
import { text } from './text.ts';

/** Leads stand before clients in documents. */
const recordResources = Object.fromEntries(
  inOrder(recordKindNames, ['company', 'contact', 'lead']).map((name) => [name, records[name]]),
) as Records;

export const resources = {
  me: {
    label: text('Connection', 'Pripojenie'),
    plural: text('Connections', 'Pripojenia'),
    schema: Me,
    kind: 'service',
  },
  ...recordResources,
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
