import type { Invoice } from '@dealkeep/contract';
import { laterOf } from '../clock.ts';
import type { Core } from '../core.ts';
import { Problem } from '../problem.ts';
import { type OrganizationName, transact } from '../verb/transact.ts';
import { readInvoice } from './invoice-record.ts';
import { canBeCancelled } from './invoice-steps.ts';
import { lockInvoice } from './lock-invoice.ts';

/**
 * Cancels an invoice of which nothing has been paid; the API has no operation and the catalog no event for it. Its
 * number stays taken. Answers the invoice as GET does. Raises NOT_FOUND, and CONFLICT when it is paid, wholly or in
 * part, or cancelled already.
 */
export const cancelInvoice = (
  core: Core,
  organization: OrganizationName,
  { id }: { id: string },
): Promise<Invoice> =>
  transact(core, organization, async (context) => {
    const { sql, now } = context;
    const { status, paid_amount, updated_at } = await lockInvoice(context, id);
    if (!canBeCancelled(status)) throw new Problem('record.wrong_state', { state: status });
    if (paid_amount > 0) throw new Problem('invoice.partly_paid');
    await sql`
      update invoices set status = 'cancelled', updated_at = ${laterOf(now, updated_at)}
      where organization_id = ${organization.id} and id = ${id}`;
    return readInvoice(context, id);
  });
