import { type EventType, eventTypes } from '@dealkeep/contract';

/** What the contract does not say of a trigger: how people meet it in Zapier. */
export interface TriggerDeclaration {
  /** The events that it subscribes to. Its key is the event's name unless `key` is given. */
  readonly events: readonly EventType[];
  readonly key?: string;
  readonly label: string;
  readonly description: string;
  /** Filters of the record's list that narrow the trigger; applied to every delivery. */
  readonly filters?: readonly string[];
  /** Fields of the record that other events tell of, and which this one's changes therefore never name. */
  readonly unwatched?: readonly string[];
  /** Parameters that find a record in the state that the event leaves, to test the trigger with. */
  readonly latest?: Readonly<Record<string, string | boolean>>;
  /** The user chooses among the events: one at least, or none for all. */
  readonly choose?: 'some' | 'any';
}

/** In the order in which the editor lists them. */
export const triggers: readonly TriggerDeclaration[] = [
  { events: ['lead.created'], label: 'New Lead', description: 'Triggers when a new lead is created.' },
  {
    events: ['lead.updated'],
    label: 'Updated Lead',
    description: 'Triggers when fields of a lead other than its stage are changed.',
    unwatched: [
      'status',
      'pipeline',
      'stage',
      'stage_entered_at',
      'won_at',
      'lost_at',
      'lost_reason',
      'lost_note',
      'archived_at',
    ],
  },
  {
    events: ['lead.stage_changed'],
    label: 'Lead Stage Changed',
    description: 'Triggers when a lead is moved to another stage.',
    filters: ['pipeline_id', 'stage_id'],
  },
  {
    events: ['lead.won'],
    label: 'Lead Won',
    description: 'Triggers when a lead is won.',
    latest: { status: 'won' },
  },
  {
    events: ['lead.lost'],
    label: 'Lead Lost',
    description: 'Triggers when a lead is lost.',
    latest: { status: 'lost' },
  },
  {
    events: ['lead.archived'],
    label: 'Lead Archived',
    description: 'Triggers when a lead is archived.',
    latest: { archived: true },
  },
  {
    events: ['company.created'],
    label: 'New Company',
    description: 'Triggers when a new company is created.',
  },
  {
    events: ['company.updated'],
    label: 'Updated Company',
    description: 'Triggers when fields of a company are changed.',
    unwatched: ['contacts'],
  },
  {
    events: ['contact.created'],
    label: 'New Contact',
    description: 'Triggers when a new contact is created.',
  },
  {
    events: ['contact.updated'],
    label: 'Updated Contact',
    description: 'Triggers when fields of a contact are changed.',
  },
  {
    events: eventTypes,
    key: 'any_event',
    label: 'Any Event',
    description: 'Triggers when one of the events that you choose happens.',
    choose: 'some',
  },
];

/** `lead.stage_changed` → `lead_stage_changed`: Zapier's keys have no dots. */
export const triggerKey = (declaration: TriggerDeclaration): string =>
  declaration.key ?? declaration.events.map((type) => type.replace('.', '_')).join('_or_');
