import type { ApiFields } from './record.ts';

// The shapes of what `npm run generate` reads from the API's contract. Everything at run time follows these tables;
// no operation, field or event is named in hand-written code.

export type FieldKind =
  | 'text'
  | 'number'
  | 'boolean'
  | 'date'
  | 'dateTime'
  | 'reference'
  | 'references'
  | 'texts'
  /** Names of records, which can be given by their IDs too. */
  | 'names'
  /** A value for each of several names. */
  | 'entries'
  /** Filters of events, as the triggers have them. */
  | 'eventFilters'
  | 'object'
  | 'objects';

/** One field of a body, or one filter of a list. */
export interface Field {
  /** As the API names it. */
  readonly name: string;
  /** As n8n names it: the same in camelCase. */
  readonly parameter: string;
  /** As people see it. */
  readonly label: string;
  readonly kind: FieldKind;
  /** An empty value clears the field on update. */
  readonly nullable?: true;
  /** Of an update: an empty list empties the field. */
  readonly emptiable?: true;
  /** Of `object` and of each of `objects`. */
  readonly fields?: readonly Field[];
  /** A required `object` that is sent although nothing of it is filled in. */
  readonly sentEmpty?: true;
}

/** The API's operation that does an operation with many records at once. */
export interface BatchTable {
  readonly path: string;
  /** What it calls the operation. */
  readonly operation: string;
}

/** A field whose value stands in the path, at this place. */
export interface PathField extends Field {
  readonly placeholder: string;
}

export interface Operation {
  readonly method: 'GET' | 'POST' | 'PATCH' | 'DELETE';
  /** Below the API root, with parameters in braces. */
  readonly path: string;
  /** Where the path's parameters come from. */
  readonly inPath: readonly PathField[];
  /** What it always sends, without being asked. */
  readonly sends?: ApiFields;
  /** Fields that stand on top also where the columns of the input are mapped. */
  readonly always?: readonly Field[];
  /** Fields that stand on top: the required ones. */
  readonly required: readonly Field[];
  /** Fields that stand on top too, and are left out where they are empty. */
  readonly top?: readonly Field[];
  /** Fields inside `collection`. */
  readonly optional: readonly Field[];
  readonly collection?: 'additionalFields' | 'updateFields';
  readonly list?: {
    /** False when the API answers everything on one page and takes no parameters. */
    readonly paged: boolean;
    /** Each page names a next one, as there will be more some time. */
    readonly endless?: true;
    readonly filters: readonly Field[];
  };
  /** Query parameters that stand on top: the required ones. */
  readonly asked?: readonly Field[];
  /** Query parameters of what is no list, inside the collection "Options". */
  readonly query?: readonly Field[];
  /** The columns of the input can be mapped to its fields. */
  readonly mapped?: true;
  /** It takes the custom fields of the organization. */
  readonly customFields?: true;
  readonly answer: 'record' | 'list' | 'bare' | 'nothing';
  /** The fields that the simplified output keeps; absent when records are small enough as they are. */
  readonly simplified?: readonly string[];
  readonly batch?: BatchTable;
}

/** Where a dropdown's choices come from. */
export interface Choices {
  /** Path of the list. */
  readonly list: string;
  readonly paged: boolean;
  /** Whether the list searches by `q`. */
  readonly searchable: boolean;
  /** Where inside each listed item the choices stand (stages stand inside pipelines). */
  readonly items?: string;
  /** The field of a choice that becomes the value. */
  readonly value: string;
  /** Fields that can serve as name, the best first. */
  readonly names: readonly string[];
  /** Fields that tell records of one name apart, the best first. */
  readonly apart?: readonly string[];
  /**
   * The choice that narrows this one: its parameter, and the list's query parameter unless `items` is set; `inPath`
   * when the list stands below the record that is chosen there.
   */
  readonly parent?: { readonly parameter: string; readonly filter: string; readonly inPath?: true };
  /** What the list is always asked for: tasks that are open. */
  readonly query?: Readonly<Record<string, string>>;
}

export interface EventTable {
  /** Of an `x.updated`, whose envelope names the fields that changed: the parameter with the fields to watch. */
  readonly watch?: string;
  /**
   * Of a move that can be chosen as one with an update: the field that the update names when the record was moved,
   * too.
   */
  readonly moves?: string;
  /** No connection of a person can read it. */
  readonly keyOnly?: true;
  /** What it can be filtered by, and where its data holds the value; `[]` stands for each element of a list. */
  readonly filters?: Readonly<Record<string, string>>;
}

/** A filter of the triggers. */
export interface TriggerFilter {
  /** As the API names it. */
  readonly filter: string;
  /** As people see it. */
  readonly label: string;
  /** The dropdown that shows the records to choose from; absent where the choices are fixed. */
  readonly load?: string;
}
