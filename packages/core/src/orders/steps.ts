import type { Order } from '@dealkeep/contract';
import { laterOf } from '../clock.ts';
import type { Core } from '../core.ts';
import { Problem } from '../problem.ts';
import { type OrganizationName, transact } from '../verb/transact.ts';
import type { Changing } from '../verb/verb.ts';
import { moveStock, stockHold } from './items.ts';
import { orders } from './record.ts';

/** The statuses that an order can take after `new`. */
export type OrderStep = Exclude<Order['status'], 'new'>;

const orderSteps: readonly OrderStep[] = [
  ...(['confirmed', 'picking', 'packed', 'ready_for_pickup', 'shipped', 'delivered'] as const),
  ...(['cancelled', 'returned'] as const),
];

/** How far an order is; picking up and shipping are alternatives of the same rank. */
const progress: Readonly<Partial<Record<Order['status'], number>>> = {
  new: 0,
  confirmed: 1,
  picking: 2,
  packed: 3,
  ready_for_pickup: 4,
  shipped: 4,
  delivered: 5,
};

/** Steps may be left out, never taken back; what was sent can only be returned, what was not only be cancelled. */
function canStep(from: Order['status'], to: OrderStep): boolean {
  if (to === 'cancelled') return stockHold(from) === 'reserved';
  if (to === 'returned') return stockHold(from) === 'taken';
  const [before, after] = [progress[from], progress[to]];
  return before !== undefined && after !== undefined && after > before;
}

/** What an order can become from where it is. */
export const possibleOrderSteps = ({ status }: Pick<Order, 'status'>): OrderStep[] =>
  orderSteps.filter((step) => canStep(status, step));

const momentOf: Readonly<Partial<Record<OrderStep, keyof Parameters<typeof orders.update>[2]>>> = {
  confirmed: 'confirmed_at',
  shipped: 'shipped_at',
  delivered: 'delivered_at',
  cancelled: 'cancelled_at',
};

/**
 * Takes an order to a status, with its event and its stock: shipped or delivered takes what was reserved, cancelled
 * frees it, returned puts it back. Raises NOT_FOUND, and CONFLICT for a step that is not possible.
 */
export const stepOrder = (
  core: Core,
  organization: OrganizationName,
  { uuid, status }: { uuid: string; status: OrderStep },
): Promise<Order> =>
  transact(core, organization, async (context: Changing) => {
    const before = await orders.lock(context, uuid);
    if (!canStep(before.status, status)) throw new Problem('record.wrong_state', { state: before.status });
    const steppedAt = laterOf(context.now, before.updated_at);
    const moment = momentOf[status];
    const row = await orders.update(context, uuid, {
      status,
      updated_at: steppedAt,
      ...(moment ? { [moment]: steppedAt } : {}),
    });
    await moveStock(context, uuid, stockHold(before.status), stockHold(status));
    const stepped = await orders.recordOf(context, row);
    context.emit(`order.${status}`, stepped);
    return stepped;
  });

/** The statuses that a payment can take after `unpaid`. */
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
    const before = await orders.lock(context, uuid);
    if (!nextSteps[before.payment_status].includes(payment_status)) {
      throw new Problem('record.wrong_state', { state: before.payment_status });
    }
    const changedAt = laterOf(context.now, before.updated_at);
    const firstPayment = payment_status === 'paid' && before.paid_at === null;
    const row = await orders.update(context, uuid, {
      payment_status,
      paid_at: firstPayment ? changedAt : before.paid_at,
      updated_at: changedAt,
    });
    const changed = await orders.recordOf(context, row);
    context.emit(`order.payment_${payment_status}`, changed);
    if (firstPayment) context.emit('order.paid', changed);
    return changed;
  });
