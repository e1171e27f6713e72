import { isMessageKey } from '@dealkeep/contract';
import { Problem } from '@dealkeep/core/foundations';
import type { Import } from '@dealkeep/core/operations';

/** Why an import ended before its last row; undefined where it did not. */
export function stoppedProblem({ stopped }: Import): Problem | undefined {
  if (stopped === null) return undefined;
  if (!isMessageKey(stopped.key)) throw new Error(`There is no message ${stopped.key}`);
  return new Problem(stopped.key, stopped.values);
}
