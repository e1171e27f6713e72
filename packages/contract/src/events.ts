import type * as z from 'zod';
import type { ResourceName } from './resources.ts';
import { resources } from './resources.ts';
import type { Scope } from './scopes.ts';
import { type Text, text } from './text.ts';

export interface EventDeclaration {
  readonly label: Text;
  readonly description: Text;
  readonly entity: ResourceName;
  /** The scope that reading its data needs. */
  readonly scope: Scope;
  /** The envelope carries `changed_fields`. */
  readonly updated?: boolean;
}

const lead = { entity: 'lead', scope: 'leads:read' } as const;
const company = { entity: 'company', scope: 'companies:read' } as const;
const contact = { entity: 'contact', scope: 'companies:read' } as const;

/** The event catalog (specification, Events). Only what is really emitted stands here. */
export const events = {
  'lead.created': {
    ...lead,
    label: text('Lead created', 'Príležitosť vytvorená'),
    description: text('A lead was created.', 'Bola vytvorená príležitosť.'),
  },
  'lead.updated': {
    ...lead,
    updated: true,
    label: text('Lead updated', 'Príležitosť zmenená'),
    description: text(
      'Fields of a lead other than its stage were changed.',
      'Zmenili sa polia príležitosti okrem fázy.',
    ),
  },
  'lead.archived': {
    ...lead,
    label: text('Lead archived', 'Príležitosť archivovaná'),
    description: text('A lead was archived.', 'Príležitosť bola archivovaná.'),
  },
  'lead.stage_changed': {
    ...lead,
    label: text('Lead stage changed', 'Fáza príležitosti zmenená'),
    description: text('A lead was moved to another stage.', 'Príležitosť bola presunutá do inej fázy.'),
  },
  'lead.won': {
    ...lead,
    label: text('Lead won', 'Príležitosť vyhratá'),
    description: text('A lead reached a won stage.', 'Príležitosť sa dostala do vyhranej fázy.'),
  },
  'lead.lost': {
    ...lead,
    label: text('Lead lost', 'Príležitosť prehratá'),
    description: text('A lead reached a lost stage.', 'Príležitosť sa dostala do prehranej fázy.'),
  },
  'company.created': {
    ...company,
    label: text('Company created', 'Firma vytvorená'),
    description: text('A company was created.', 'Bola vytvorená firma.'),
  },
  'company.updated': {
    ...company,
    updated: true,
    label: text('Company updated', 'Firma zmenená'),
    description: text('Fields of a company were changed.', 'Zmenili sa polia firmy.'),
  },
  'contact.created': {
    ...contact,
    label: text('Contact created', 'Kontakt vytvorený'),
    description: text('A contact was created.', 'Bol vytvorený kontakt.'),
  },
  'contact.updated': {
    ...contact,
    updated: true,
    label: text('Contact updated', 'Kontakt zmenený'),
    description: text('Fields of a contact were changed.', 'Zmenili sa polia kontaktu.'),
  },
} as const satisfies Record<string, EventDeclaration>;

export type EventType = keyof typeof events;

export const eventTypes = Object.keys(events).filter((type): type is EventType => type in events);

export const isEventType = (value: string): value is EventType => Object.hasOwn(events, value);

/** The schema of an event's `data`: the record as its GET answers it. */
export const dataSchemaOf = (type: EventType): z.ZodObject => resources[events[type].entity].schema;
