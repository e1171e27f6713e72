import type { OperationDeclaration } from '@dealkeep/contract';
import type { Problem } from '../../foundations/problem.ts';
import type { Answer } from '../idempotency/stored-answer.ts';

/** What became of an operation. `isWhole`: the record is shown as its GET shows it, with nothing left out. */
export type Outcome = { result: unknown; isWhole: boolean } | { problem: Problem };

/** Turns what became of an operation into what is sent. */
export type Encode = (outcome: Outcome, declaration: OperationDeclaration) => Answer;
