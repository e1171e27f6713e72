import type { OperationId } from '@dealkeep/contract';

/** What the contract does not say of an action; its name is the operation's title. */
export interface ActionDeclaration {
  readonly operation: OperationId;
  /** In Zapier's manner: "Creates a …", ending with a full stop. */
  readonly description: string;
}

/** In the order in which the editor lists them. */
export const actions: readonly ActionDeclaration[] = [
  {
    operation: 'leads.create',
    description: 'Creates a lead; its company and contact are matched or created with it.',
  },
  { operation: 'leads.update', description: 'Updates the filled-in fields of a lead.' },
  { operation: 'leads.move', description: 'Moves a lead to a stage; a won or lost stage decides it.' },
  { operation: 'leads.archive', description: 'Archives a lead, which then can no longer be changed.' },
  { operation: 'companies.create', description: 'Creates a company.' },
  { operation: 'companies.update', description: 'Updates the filled-in fields of a company.' },
  { operation: 'contacts.create', description: 'Creates a contact of a company.' },
  { operation: 'contacts.update', description: 'Updates the filled-in fields of a contact.' },
];
