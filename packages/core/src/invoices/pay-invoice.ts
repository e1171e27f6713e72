import { type Invoice, PayInvoice } from '@dealkeep/contract';
import type * as z from 'zod';
import { laterOf } from '../clock.ts';
import type { Core } from '../core.ts';
import { invalidField, Problem } from '../problem.ts';
import { checkInput } from '../verb/check-input.ts';
import { type Once, type OrganizationName, transact } from '../verb/transact.ts';
import { readInvoice } from './invoice-record.ts';
import { canBePaid } from './invoice-steps.ts';
import { lockInvoice } from './lock-invoice.ts';

/** Which invoice, and how much of it in its currency: all that remains when absent. */
export type Payment = { id: string } & z.input<typeof PayInvoice>;

/**
 * Records a payment, which the API has no operation for. The payment that leaves nothing makes the invoice paid
 * (`invoice.paid`); a part changes what remains, without an event. Answers the invoice as GET does. Raises NOT_FOUND,
 * CONFLICT unless the invoice is issued or overdue, and VALIDATION_ERROR for more than remains or parts of a cent.
 */
export const payInvoice = (
  core: Core,
  organization: OrganizationName,
  { id, ...payment }: Payment,
  once?: Once,
): Promise<Invoice> =>
  transact(
    core,
    organization,
    async (context) => {
      const { sql, now } = context;
      const { status, unpaid_amount, updated_at } = await lockInvoice(context, id);
      if (!canBePaid(status)) throw new Problem('record.wrong_state', { state: status });
      const { amount = unpaid_amount } = checkInput(PayInvoice, payment);
      if (amount > unpaid_amount) throw invalidField('amount', 'field.too_big', { max: unpaid_amount });
      if (!/^\d+(\.\d{1,2})?$/.test(String(amount))) throw invalidField('amount', 'field.invalid_format');

      const paidAt = laterOf(now, updated_at);
      const settled = amount === unpaid_amount ? ({ status: 'paid', paid_at: paidAt } as const) : {};
      await sql`
      update invoices set ${sql({ ...settled, updated_at: paidAt })}, paid_amount = paid_amount + ${amount}::numeric
      where organization_id = ${organization.id} and id = ${id}`;
      const paid = await readInvoice(context, id);
      if (paid.is_paid) context.emit('invoice.paid', paid);
      return paid;
    },
    once,
  );
