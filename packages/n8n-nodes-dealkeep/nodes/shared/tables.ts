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
  /** Of `object` and of each of `objects`. */
  readonly fields?: readonly Field[];
  /** A required `object` that is sent although nothing of it is filled in. */
  readonly sentEmpty?: true;
}

/** How "create or update" finds the record that may exist already. */
export interface UpsertTable {
  /** Path of the list that is searched. */
  readonly list: string;
  /** Path of the update, with `{id}`. */
  readonly update: string;
  /** Fields by which a record can be matched; `filter` when the list can filter by it, else `q` and a comparison. */
  readonly matchBy: readonly {
    readonly field: string;
    readonly filter: boolean;
    /** The field that narrows the search when it is filled in, and whether it has to be. */
    readonly within?: { readonly field: string; readonly needed: boolean };
  }[];
  /** Fields on top that a new record needs, and an existing one does not. */
  readonly toCreate: readonly Field[];
}

export interface Operation {
  readonly method: 'GET' | 'POST' | 'PATCH' | 'DELETE';
  /** Below the API root, with parameters in braces. */
  readonly path: string;
  /** Where the path's parameters come from. */
  readonly inPath: readonly (Field & { readonly placeholder: string })[];
  /** Fields that stand on top: the required ones. */
  readonly required: readonly Field[];
  /** Fields inside `collection`. */
  readonly optional: readonly Field[];
  readonly collection?: 'additionalFields' | 'updateFields';
  readonly list?: {
    /** False when the API answers everything on one page and takes no parameters. */
    readonly paged: boolean;
    readonly filters: readonly Field[];
  };
  /** Query parameters of what is no list, inside the collection "Options". */
  readonly query?: readonly Field[];
  readonly answer: 'record' | 'list' | 'bare' | 'nothing';
  /** The fields that the simplified output keeps; absent when records are small enough as they are. */
  readonly simplified?: readonly string[];
  readonly upsert?: UpsertTable;
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
  /** The choice that narrows this one: its parameter, and the list's query parameter unless `items` is set. */
  readonly parent?: { readonly parameter: string; readonly filter: string };
}

export interface EventTable {
  /** Resource whose record the event carries, as parameter value (`lead`). */
  readonly entity: string;
  /** The envelope names the fields that changed. */
  readonly updated: boolean;
  /** Absent when nothing in the API shows afterwards that the event happened. */
  readonly catchUp?: CatchUp;
}

/** How records are found to which an event happened while nobody listened. */
export interface CatchUp {
  /** The filter of the list that takes a moment. */
  readonly since: string;
  readonly list: string;
  /** Path of one record, where the list does not show it whole. */
  readonly get?: string;
  /** The record's field that is its id. */
  readonly id: 'id' | 'uuid';
}

/** The trigger's parameters that filter the records of one resource. */
export interface EntityFilters {
  /** The collection of filters by id. */
  readonly filters?: string;
  /** By parameter inside that collection: where the record holds the id. */
  readonly ids: Readonly<Record<string, string>>;
  /** The parameter with the fields to watch on updates. */
  readonly watch?: string;
}
