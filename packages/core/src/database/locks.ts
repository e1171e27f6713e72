import { createHash } from 'node:crypto';
import type { Transaction } from './connect.ts';

/** A 64-bit number for an advisory lock; two names meeting in one number only wait for each other. */
export function lockNumber(...names: string[]): bigint {
  return createHash('sha256').update(names.join('\0')).digest().readBigInt64BE();
}

/** Takes the locks until the transaction ends, always in the same order, so that two callers cannot deadlock. */
export async function lockAll(tx: Transaction, numbers: readonly bigint[]): Promise<void> {
  const sorted = [...new Set(numbers)].sort((a, b) => (a < b ? -1 : 1)).map(String);
  for (const number of sorted) await tx`select pg_advisory_xact_lock(${number})`;
}
