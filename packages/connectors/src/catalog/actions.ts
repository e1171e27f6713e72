import { type OperationDeclaration, type OperationId, operationIds, operations } from '@dealkeep/contract';
import { isAboutRecords, objectOf, thirdPerson } from './words-of-contract.ts';

/** What the contract does not say of an action. */
export interface ActionDeclaration {
  readonly operation: OperationId;
  /** Its name where that is not the operation's title. */
  readonly label?: string;
  /** What it always sends instead of asking. */
  readonly sends?: Readonly<Record<string, unknown>>;
  /** In the manner of the editors: "Creates a …", ending with a full stop. */
  readonly description: string;
}

const worded: readonly ActionDeclaration[] = [
  {
    operation: 'leads.create',
    description: 'Creates a lead; its company and contact are matched or created with it.',
  },
  { operation: 'leads.update', description: 'Updates the filled-in fields of a lead.' },
  { operation: 'leads.move', description: 'Moves a lead to another stage; a won or lost stage closes it.' },
  { operation: 'leads.archive', description: 'Archives a lead, which then can no longer be changed.' },
  { operation: 'companies.create', description: 'Creates a company.' },
  { operation: 'companies.update', description: 'Updates the filled-in fields of a company.' },
  {
    operation: 'companies.upsert',
    description: 'Creates a company, or updates the one that has the same value in the field to match by.',
  },
  { operation: 'contacts.create', description: 'Creates a contact of a company.' },
  { operation: 'contacts.update', description: 'Updates the filled-in fields of a contact.' },
  {
    operation: 'contacts.upsert',
    description: 'Creates a contact, or updates the one that has the same value in the field to match by.',
  },
  { operation: 'clients.create', description: 'Creates a client from a company.' },
  { operation: 'clients.update', description: 'Updates the filled-in fields of a client.' },
  {
    operation: 'clients.upsert',
    description: 'Creates a client, or updates the one that has the same value in the field to match by.',
  },
  { operation: 'activities.create', description: 'Creates a meeting, a call or another activity.' },
  { operation: 'activities.update', description: 'Updates the filled-in fields of an activity.' },
  { operation: 'activities.complete', description: 'Completes an activity.' },
  { operation: 'tasks.create', description: 'Creates a task.' },
  { operation: 'tasks.update', description: 'Updates the filled-in fields of a task.' },
  {
    operation: 'tasks.update',
    label: 'Complete Task',
    sends: { completed: true },
    description: 'Completes a task.',
  },
  {
    operation: 'tasks.update',
    label: 'Reopen Task',
    sends: { completed: false },
    description: 'Reopens a completed task.',
  },
  {
    operation: 'invoices.create',
    description: 'Creates an issued invoice under the next number. It records the claim; no money is moved.',
  },
  { operation: 'bookings.create', description: 'Creates a booking of a service.' },
  { operation: 'bookings.cancel', description: 'Cancels a pending or confirmed booking.' },
  {
    operation: 'orders.create',
    description: 'Creates an order and reserves its stock. It records the order; no money is moved.',
  },
];

/** What changes records and is no action: erasing is for owners, and nothing brings back what a workflow erased. */
export const leftOutActions: readonly OperationId[] = [
  'leads.erase',
  'companies.erase',
  'contacts.erase',
  'clients.erase',
];

/** Of each kind of operation, what it does with `a vehicle`, where no words stand above. */
const descriptions: Partial<
  Record<OperationDeclaration['kind'], (declaration: OperationDeclaration) => string>
> = {
  create: (declaration) => `Creates ${objectOf(declaration)}.`,
  update: (declaration) => `Updates the filled-in fields of ${objectOf(declaration)}.`,
  upsert: (declaration) =>
    `Creates ${objectOf(declaration)}, or updates the one that has the same value in the field to match by.`,
  action: (declaration) => `${thirdPerson(declaration.title.en)}.`,
};

const isWorded = (id: OperationId): boolean =>
  leftOutActions.includes(id) || worded.some(({ operation }) => operation === id);

/** In the order in which the editor lists them; records of which nothing is said above come last. */
export const actions: readonly ActionDeclaration[] = [
  ...worded,
  ...operationIds.flatMap((operation) => {
    const declaration: OperationDeclaration = operations[operation];
    const describe = descriptions[declaration.kind];
    return describe && isAboutRecords(declaration) && !isWorded(operation)
      ? [{ operation, description: describe(declaration) }]
      : [];
  }),
];
