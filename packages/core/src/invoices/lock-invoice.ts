import type { Invoice } from '@dealkeep/contract';
import { notFound } from '../problem.ts';
import type { Changing } from '../verb/verb.ts';

export interface LockedInvoice {
  status: Invoice['status'];
  paid_amount: number;
  /** What of the total has not been paid. */
  unpaid_amount: number;
  updated_at: string;
}

/** How an invoice stands, locked until the transaction ends. Raises NOT_FOUND. */
export async function lockInvoice({ sql, organization }: Changing, id: string): Promise<LockedInvoice> {
  const [row] = await sql<LockedInvoice[]>`
    select status, paid_amount, total - paid_amount as unpaid_amount, updated_at from invoices
    where organization_id = ${organization} and id = ${id} for no key update`;
  if (!row) throw notFound();
  return row;
}
