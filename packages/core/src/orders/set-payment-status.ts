import type { Order } from '@dealkeep/contract';
import { laterOf } from '../clock.ts';
import type { Core } from '../core.ts';
import { Problem } from '../problem.ts';
import { type OrganizationName, transact } from '../verb/transact.ts';
import { lockOrder } from './lock-order.ts';
import { readOrder } from './order-record.ts';

/** What a payment can become after it was not begun. */
export type PaymentStep = Exclude<Order['payment_status'], 'unpaid'>;

/** A payment that failed or was refunded can be made again; only what was paid is refunded. */
const nextSteps: Readonly<Record<Order['payment_status'], readonly PaymentStep[]>> = {
  unpaid: ['pending', 'paid', 'failed'],
  pending: ['paid', 'failed'],
  failed: ['pending', 'paid'],
  paid: ['refunded'],
  refunded: ['pending', 'paid'],
};

/** What an order's payment can become from where it is. */
export const possiblePaymentSteps = ({
  payment_status,
}: Pick<Order, 'payment_status'>): readonly PaymentStep[] => nextSteps[payment_status];

/**
 * Notes what became of an order's payment, whatever the order's own status: `order.payment_…`, and after it
 * `order.paid` the first time that it is paid. Raises NOT_FOUND, and CONFLICT for a step that is not possible.
 */
export const setPaymentStatus = (
  core: Core,
  organization: OrganizationName,
  { uuid, payment_status }: { uuid: string; payment_status: PaymentStep },
): Promise<Order> =>
  transact(core, organization, async (context) => {
    const { sql, now } = context;
    const row = await lockOrder(context, uuid);
    if (!nextSteps[row.payment_status].includes(payment_status)) {
      throw new Problem('record.wrong_state', { state: row.payment_status });
    }
    const changedAt = laterOf(now, row.updated_at);
    const firstPayment = payment_status === 'paid' && row.paid_at === null;
    const paidAt = firstPayment ? changedAt : row.paid_at;
    await sql`
      update orders set payment_status = ${payment_status}, paid_at = ${paidAt}, updated_at = ${changedAt}
      where organization_id = ${organization.id} and id = ${uuid}`;
    const changed = await readOrder(context, uuid);
    context.emit(`order.payment_${payment_status}`, changed);
    if (firstPayment) context.emit('order.paid', changed);
    return changed;
  });
