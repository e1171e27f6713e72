import type * as z from 'zod';
import { Company, companyLabel } from './resources/companies.ts';
import { Contact, contactLabel } from './resources/contacts.ts';
import { Lead, leadLabel } from './resources/leads.ts';
import {
  CustomFieldItem,
  LeadOriginItem,
  LostReasonItem,
  PipelineItem,
  TagItem,
  UserItem,
} from './resources/lookups.ts';
import { Me } from './resources/me.ts';
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
  webhook: {
    label: webhookLabel,
    plural: text('REST Hooks', 'REST hooky'),
    schema: RestHook,
    kind: 'service',
  },
} as const satisfies Record<string, ResourceDeclaration>;

export type ResourceName = keyof typeof resources;
