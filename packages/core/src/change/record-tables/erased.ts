import type { RecordName } from '@dealkeep/contract';
import { itsOrganization } from './define-record.ts';

/** Stands where a record must have a name and its own was erased. In no language, and no name. */
export const erasedText = '[erased]';

/** What a field of a record becomes. */
export type Erased =
  | { readonly becomes: string | null | readonly never[] | Readonly<Record<never, never>> }
  /** An object, or each object of a list, of which some fields become something else. */
  | { readonly fields: Readonly<Record<string, Erased>> }
  /** Another record: it goes unless it is erased itself. */
  | { readonly link: true };

/** Where personal data stands in records of a kind, and what it becomes. Everything else of them stays. */
export interface ErasedRecord {
  /** Its table has `erased_at`, with which a record takes no personal data any more. */
  readonly closes?: true;
  /** The records with which it is erased: of what kind, and the column that refers to them. */
  readonly with?: readonly { readonly kind: RecordName; readonly column: string }[];
  /**
   * What each column becomes, as SQL about a row `t` of a record `due` that is being erased, with `itsOrganization`.
   */
  readonly columns: Readonly<Record<string, string>>;
  /** The same in the JSON of records, of what refers to them, and of their former values. */
  readonly fields: Readonly<Record<string, Erased>>;
  /** Columns of its items that lose what they hold. */
  readonly itemColumns?: readonly string[];
  /**
   * The columns that hold nothing of a person: ids, numbers, moments, states. Of older kinds a test says it
   * (`packages/core/test/erasing`).
   */
  readonly stays?: readonly string[];
}

const text = `'${erasedText}'`;

/** What a column becomes. */
export const column = {
  text,
  /** Text, where it has any. */
  textWhereNamed: `case when t.name is not null then ${text} end`,
  nothing: 'null',
  none: `'{}'`,
  /** A link to a contact who is not erased, too, goes: otherwise the record would still say who it is about. */
  linkToErased: `case when exists (
  select 1 from erasing_records other where other.organization_id = ${itsOrganization}
    and other.erasure_id = due.erasure_id and other.record_id = t.contact_id) then t.contact_id end`,
} as const;

/** What a field becomes. */
export const field = {
  text: { becomes: erasedText },
  nothing: { becomes: null },
  emptyList: { becomes: [] },
  link: { link: true },
} as const satisfies Readonly<Record<string, Erased>>;
