import type { FieldProblem } from '@dealkeep/contract';
import type { Changing, Scope } from '../verb/verb.ts';

/** An entry of a list with what people edit of it. */
export interface LookupEntry {
  readonly id: string;
  readonly name: string;
  /** RFC 3339; null while it can be chosen, and in lists whose entries are never archived. */
  readonly archived_at: string | null;
  readonly [column: string]: unknown;
}

/** The columns of an entry, checked by the contract. */
export type LookupValues = Readonly<Record<string, unknown>>;

/** What holds for one list alone. */
export interface LookupRules {
  /** What is wrong with an entry that is made, or changed from what it was; without the values that the contract refuses. */
  problemsOf?(
    reading: Pick<Scope, 'sql' | 'organization'>,
    saved: { before: LookupEntry | undefined; values: LookupValues },
  ): Promise<FieldProblem[]>;
  /** Before an entry is written. */
  beforeSaving?(changing: Changing, saved: { id: string; values: LookupValues }): Promise<void>;
  /** What a new entry begins with. */
  afterCreating?(changing: Changing, entry: LookupEntry): Promise<void>;
  /**
   * Before a locked entry is removed: sends the records that stand in it elsewhere, as `where` says, which is not
   * checked yet. Raises CONFLICT and VALIDATION_ERROR.
   */
  beforeRemoving?(changing: Changing, entry: LookupEntry, where: LookupValues): Promise<void>;
  /** Before the row of an entry is deleted that nothing refers to: deletes what stands in it. */
  beforeDeleting?(changing: Changing, entry: LookupEntry): Promise<void>;
}
