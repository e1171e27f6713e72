import type { Transaction } from '../database/connect.ts';

/** An element of an array parameter, chosen by a number (an SQL expression) that may exceed its length. */
export const pick = (tx: Transaction, values: readonly string[], by: string) =>
  tx`(${[...values]}::text[])[1 + (${tx.unsafe(by)})::integer % ${values.length}]`;
