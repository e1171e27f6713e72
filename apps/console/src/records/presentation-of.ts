import { type RecordName, recordKindNames } from '@dealkeep/contract';
import type { Presentation } from './presentation.ts';
import * as declared from './presentations.ts';

// A kind that the contract declares and nobody shows does not compile here.
const byName = { ...declared } satisfies Readonly<Record<RecordName, Presentation>>;

/** How a kind of record is shown. */
export const presentationOf = (name: RecordName): Presentation => byName[name];

/** Those of all, in the order of the contract. */
export const presentations: readonly Presentation[] = recordKindNames.map(presentationOf);
