import {
  type EventFilter,
  type EventType,
  events,
  eventsOf,
  eventTypes,
  inLowerCase,
  labelInSentence,
  records,
} from '@dealkeep/contract';
import { singular, titleCase } from './words-of-contract.ts';

/** What the contract does not say of a trigger: how people meet it in an editor. */
export interface TriggerDeclaration {
  /** The events that it subscribes to. Its key is the event's name unless `key` is given. */
  readonly events: readonly EventType[];
  readonly key?: string;
  readonly label: string;
  readonly description: string;
  /**
   * Its events are one to the user: a change of a record runs the workflow once, although it can be told by two of
   * them.
   */
  readonly asOne?: true;
  /** The user chooses among the events: one at least, or none for all. */
  readonly choose?: 'some' | 'any';
  /** What the choice is called; `Events` when absent. */
  readonly choiceLabel?: string;
  /** The filter that the choice stands for, which is then not asked for beside it. */
  readonly choiceOf?: EventFilter;
}

const worded: readonly TriggerDeclaration[] = [
  { events: ['lead.created'], label: 'New Lead', description: 'Triggers when a new lead is created.' },
  {
    events: ['lead.updated'],
    label: 'Updated Lead',
    description: 'Triggers when fields of a lead other than its stage are changed.',
  },
  {
    events: ['lead.created', 'lead.updated', 'lead.stage_changed'],
    key: 'lead_created_or_updated',
    label: 'New or Updated Lead',
    description: 'Triggers when a lead is created, its fields are changed or it is moved to another stage.',
    asOne: true,
  },
  {
    events: ['lead.stage_changed'],
    label: 'Lead Stage Changed',
    description: 'Triggers when a lead is moved to another stage.',
  },
  {
    events: ['lead.won'],
    label: 'Lead Won',
    description: 'Triggers when a lead is won.',
  },
  {
    events: ['lead.lost'],
    label: 'Lead Lost',
    description: 'Triggers when a lead is lost.',
  },
  {
    events: ['lead.archived'],
    label: 'Lead Archived',
    description: 'Triggers when a lead is archived.',
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
  },
  {
    events: ['company.created', 'company.updated'],
    key: 'company_created_or_updated',
    label: 'New or Updated Company',
    description: 'Triggers when a company is created or its fields are changed.',
    asOne: true,
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
    events: ['contact.created', 'contact.updated'],
    key: 'contact_created_or_updated',
    label: 'New or Updated Contact',
    description: 'Triggers when a contact is created or its fields are changed.',
    asOne: true,
  },
  {
    events: ['client.created'],
    label: 'New Client',
    description: 'Triggers when a company is made a client.',
  },
  {
    events: ['client.updated'],
    label: 'Updated Client',
    description: 'Triggers when fields of a client are changed.',
  },
  {
    events: ['client.created', 'client.updated'],
    key: 'client_created_or_updated',
    label: 'New or Updated Client',
    description: 'Triggers when a company is made a client or the fields of a client are changed.',
    asOne: true,
  },
  {
    events: ['activity.created'],
    label: 'New Activity',
    description: 'Triggers when a new meeting, call or other activity is planned.',
  },
  {
    events: ['activity.completed'],
    label: 'Activity Completed',
    description: 'Triggers when an activity is completed.',
  },
  {
    events: ['activity.cancelled'],
    label: 'Activity Cancelled',
    description: 'Triggers when an activity is cancelled.',
  },
  {
    events: ['task.created'],
    label: 'New Task',
    description: 'Triggers when a new task is created.',
  },
  {
    events: ['task.moved'],
    label: 'Task Moved',
    description: 'Triggers when a task is moved to another stage of its project.',
  },
  {
    events: ['task.completed'],
    label: 'Task Completed',
    description: 'Triggers when a task is completed.',
  },
  {
    events: ['task.overdue'],
    label: 'Task Overdue',
    description: 'Triggers when the due moment of an open task has passed.',
  },
  {
    events: ['invoice.created'],
    label: 'New Invoice',
    description: 'Triggers when a new invoice is issued.',
  },
  {
    events: ['invoice.paid'],
    label: 'Invoice Paid',
    description: 'Triggers when an invoice is recorded as paid in full.',
  },
  {
    events: ['invoice.overdue'],
    label: 'Invoice Overdue',
    description: 'Triggers when the due date of an unpaid invoice has passed.',
  },
  {
    events: ['quote.accepted'],
    label: 'Quote Accepted',
    description: 'Triggers when a quote is accepted.',
  },
  {
    events: ['quote.rejected'],
    label: 'Quote Rejected',
    description: 'Triggers when a quote is rejected.',
  },
  {
    events: ['booking.created'],
    label: 'New Booking',
    description: 'Triggers when a new booking is made.',
  },
  {
    events: ['booking.confirmed'],
    label: 'Booking Confirmed',
    description: 'Triggers when a booking is confirmed.',
  },
  {
    events: ['booking.cancelled'],
    label: 'Booking Cancelled',
    description: 'Triggers when a booking is cancelled.',
  },
  {
    events: ['booking.completed'],
    label: 'Booking Completed',
    description: 'Triggers when a booking is completed.',
  },
  {
    events: ['booking.no_show'],
    label: 'Booking No-Show',
    description: 'Triggers when the customer of a booking did not come.',
  },
  {
    events: ['product.created'],
    label: 'New Product',
    description: 'Triggers when a new product is created.',
  },
  {
    events: ['product.updated'],
    label: 'Updated Product',
    description: 'Triggers when fields of a product are changed.',
  },
  {
    events: ['product.created', 'product.updated'],
    key: 'product_created_or_updated',
    label: 'New or Updated Product',
    description: 'Triggers when a product is created or its fields are changed.',
    asOne: true,
  },
  {
    events: ['order.created'],
    label: 'New Order',
    description: 'Triggers when a new order is created.',
  },
  {
    events: eventsOf('order', 'status'),
    key: 'order_status_changed',
    label: 'Order Status Changed',
    description: 'Triggers when the status of an order changes to one that you choose.',
    choose: 'any',
    choiceLabel: 'Statuses',
    choiceOf: 'status',
  },
  {
    events: eventsOf('order', 'payment'),
    key: 'order_payment_changed',
    label: 'Order Payment Changed',
    description: 'Triggers when the payment status of an order changes to one that you choose.',
    choose: 'any',
    choiceLabel: 'Payment Statuses',
    choiceOf: 'payment_status',
  },
];

const anyEvent: TriggerDeclaration = {
  events: eventTypes,
  key: 'any_event',
  label: 'Any Event',
  description: 'Triggers when one of the events that you choose happens.',
  choose: 'some',
};

/** The triggers of an event that no words stand for above. */
function triggersOf(type: EventType): TriggerDeclaration[] {
  const { category, entity, label, description } = events[type];
  const { label: record } = records[entity];
  const one = singular(entity);
  if (category === 'created') {
    return [
      {
        events: [type],
        label: `New ${record.en}`,
        description: `Triggers when a new ${labelInSentence(record.en)} is created.`,
      },
    ];
  }
  if (category !== 'updated') {
    const { en } = description;
    const happens = `${inLowerCase(en.charAt(0))}${en.slice(1)}`
      .replace(' was ', ' is ')
      .replace(' were ', ' are ');
    return [{ events: [type], label: titleCase(label.en), description: `Triggers when ${happens}` }];
  }
  const [created] = eventsOf(entity, 'created');
  const both: TriggerDeclaration[] = created
    ? [
        {
          events: [created, type],
          key: `${entity}_created_or_updated`,
          label: `New or Updated ${record.en}`,
          description: `Triggers when ${one} is created or its fields are changed.`,
          asOne: true,
        },
      ]
    : [];
  return [
    {
      events: [type],
      label: `Updated ${record.en}`,
      description: `Triggers when fields of ${one} are changed.`,
    },
    ...both,
  ];
}

const isWorded = (type: EventType): boolean => worded.some(({ events: types }) => types.includes(type));

/** In the order in which the editor lists them; records of which nothing is said above come last. */
export const triggers: readonly TriggerDeclaration[] = [
  ...worded,
  ...eventTypes.filter((type) => !isWorded(type)).flatMap(triggersOf),
  anyEvent,
];

/** `lead.stage_changed` → `lead_stage_changed`: keys of platforms have no dots. */
export const triggerKey = (declaration: TriggerDeclaration): string =>
  declaration.key ?? declaration.events.map((type) => type.replace('.', '_')).join('_or_');
