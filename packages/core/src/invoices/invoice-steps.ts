import type { Invoice } from '@dealkeep/contract';

/** Whether an invoice waits for money. */
export const canBePaid = (status: Invoice['status']): boolean => status === 'issued' || status === 'overdue';

/** Whether an invoice can be cancelled, were nothing of it paid. */
export const canBeCancelled = (status: Invoice['status']): boolean =>
  status !== 'paid' && status !== 'cancelled';

/** What can be done with an invoice as it is. */
export function possibleInvoiceSteps({
  status,
  total,
  remaining_amount,
}: Pick<Invoice, 'status' | 'total' | 'remaining_amount'>): ('pay' | 'cancel')[] {
  const untouched = remaining_amount === total;
  return [
    ...(canBePaid(status) ? (['pay'] as const) : []),
    ...(canBeCancelled(status) && untouched ? (['cancel'] as const) : []),
  ];
}
