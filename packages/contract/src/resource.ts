import type * as z from 'zod';
import type { ToolSetName } from './assistant-access.ts';
import type { EventDeclaration } from './event.ts';
import type { OperationDeclaration } from './operation.ts';
import type { Reference } from './reference.ts';
import type { Permission } from './role-permissions.ts';
import type { Scope } from './scopes.ts';
import type { Text } from './text.ts';

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

type Declared<Of> = Readonly<Record<string, Of>>;

/** A kind of record: all that the house knows of it but how it is stored and how the console shows it. */
export interface RecordDeclaration extends ResourceDeclaration {
  readonly kind: 'record';
  /** What its operations, its path, its table and its file of an export are called: `bookings`. */
  readonly collection: string;
  /** The field that names a record; `id` when absent. */
  readonly idField?: 'id' | 'uuid';
  /** The record of the examples. */
  readonly example: { readonly id: string };
  /** Absent where no field can name such a record. */
  readonly reference?: Reference;
  /** By which such records are read. */
  readonly scope: Scope;
  /** What a role must give to see them. */
  readonly permission: Permission;
  /** The tools for AI assistants that its operations belong to, and where the navigation of the console has it. */
  readonly toolSet: ToolSetName;
  /** Those of the API. */
  readonly operations: Declared<OperationDeclaration>;
  readonly consoleOperations?: Declared<OperationDeclaration>;
  /** What time does. */
  readonly systemOperations?: Declared<OperationDeclaration>;
  readonly events: Declared<EventDeclaration>;
  /** What its general example must not fill all at once. */
  readonly calm?: Readonly<Record<string, unknown>>;
}
