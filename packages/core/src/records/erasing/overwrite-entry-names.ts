import type { Transaction } from '../../foundations/database/connect.ts';

const namesErasedAtOnce = 1000;

/**
 * Overwrites what the audit log called the records of an erasure; who did what stays, and so do the numbers of orders and
 * invoices. Answers whether there are no more.
 */
export async function overwriteEntryNames(
  sql: Transaction,
  organization: string,
  erasure: string,
): Promise<boolean> {
  const [row] = await sql<{ count: number }[]>`
    select erase_names_of_audit_entries(${organization}, ${erasure}, ${namesErasedAtOnce}) as count`;
  return (row?.count ?? 0) < namesErasedAtOnce;
}
