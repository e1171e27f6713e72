import type { Verb } from '../verb/verb.ts';
import type { AnyRecordTable } from './define-record.ts';
import type { ErasedRecord } from './erased.ts';

/** A kind of record, as it is stored: all that core knows of it besides what its contract declares. */
export interface RecordKind {
  /** It says how such records are searched, too. */
  readonly table: AnyRecordTable;
  /** Tables of what its records are made of. */
  readonly parts?: readonly string[];
  /** By the ids of their operations. */
  readonly verbs: Readonly<Record<string, Pick<Verb, 'id' | 'writes'>>>;
  /** Absent where such records hold nothing of a person. */
  readonly erased?: ErasedRecord;
}
