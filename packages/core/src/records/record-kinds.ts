import { type Merged, type RecordName, recordKindNames } from '@dealkeep/contract';
import type { ErasedRecord } from '../change/record-tables/erased.ts';
import type { RecordKind } from '../change/record-tables/record-kind.ts';
import * as declared from './kinds.ts';

type Kinds = typeof declared;

// A kind that the contract declares and that is not stored does not compile here, nor does one that it lacks.
const byName = { ...declared } satisfies Readonly<Record<RecordName, RecordKind>>;

/** Every kind of record, in the order of the contract. */
export const recordKinds: ReadonlyMap<RecordName, RecordKind> = new Map(
  recordKindNames.map((name) => [name, byName[name]]),
);

/** What is stored of a kind. */
export const kindOf = (name: RecordName): RecordKind => byName[name];

/** What the operations on records do. */
export const recordVerbs = Object.assign(
  {},
  ...[...recordKinds.values()].map(({ verbs }) => verbs),
) as Merged<Kinds[keyof Kinds]['verbs']>;

/** The kinds that hold personal data, with what becomes of it. */
export const erasedKinds: ReadonlyMap<RecordName, ErasedRecord> = new Map(
  [...recordKinds].flatMap(([name, { erased }]) => (erased ? [[name, erased] as const] : [])),
);
