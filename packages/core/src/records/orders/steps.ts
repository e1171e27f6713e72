import type { Order } from '@dealkeep/contract';
import { type Changing, writes } from '../../change/verb/verb.ts';
import { laterOf } from '../../foundations/clock.ts';
import { Problem } from '../../foundations/problem.ts';
import { stockHold, stockMove } from './items.ts';
import { orders } from './record.ts';

/** The statuses that an order can take after `new`. */
type OrderStep = Exclude<Order['status'], 'new'>;

const statuses: readonly OrderStep[] = [
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
async function stepOrder(context: Changing, uuid: string, status: OrderStep): Promise<Order> {
  const before = await orders.lock(context, uuid);
  if (!canStep(before.status, status)) throw new Problem('record.wrong_state', { state: before.status });
  const steppedAt = laterOf(context.now, before.updated_at);
  const moment = momentOf[status];
  const changes = { status, updated_at: steppedAt, ...(moment ? { [moment]: steppedAt } : {}) };
  const parts = stockMove(context, uuid, stockHold(before.status), stockHold(status));
  const was = await orders.recordOf(context, before);
  const row = await orders.update(context, before, changes, { parts });
  const stepped = await orders.recordOf(context, row);
  context.emit(`order.${status}`, stepped, was);
  return stepped;
}

/** The statuses that a payment can take after `unpaid`. */
type PaymentStep = Exclude<Order['payment_status'], 'unpaid'>;

/** A payment that failed or was refunded can be made again; only what was paid is refunded. */
const nextSteps: Readonly<Record<Order['payment_status'], readonly PaymentStep[]>> = {
  unpaid: ['pending', 'paid', 'failed'],
  pending: ['paid', 'failed'],
  failed: ['pending', 'paid'],
  paid: ['refunded'],
  refunded: ['pending', 'paid'],
};

/**
 * Notes what became of an order's payment, whatever the order's own status: `order.payment_…`, and after it
 * `order.paid` the first time that it is paid. Raises NOT_FOUND, and CONFLICT for a step that is not possible.
 */
async function setPaymentStatus(context: Changing, uuid: string, payment: PaymentStep): Promise<Order> {
  const before = await orders.lock(context, uuid);
  if (!nextSteps[before.payment_status].includes(payment)) {
    throw new Problem('record.wrong_state', { state: before.payment_status });
  }
  const changedAt = laterOf(context.now, before.updated_at);
  const firstPayment = payment === 'paid' && before.paid_at === null;
  const was = await orders.recordOf(context, before);
  const row = await orders.update(context, before, {
    payment_status: payment,
    paid_at: firstPayment ? changedAt : before.paid_at,
    updated_at: changedAt,
  });
  const changed = await orders.recordOf(context, row);
  context.emit(`order.payment_${payment}`, changed, was);
  if (firstPayment) context.emit('order.paid', changed, was);
  return changed;
}

/** What can be done with an order as it is. */
export const possibleOrderSteps = ({
  status,
  payment_status,
}: Pick<Order, 'status' | 'payment_status'>): (keyof typeof orderSteps)[] => [
  ...statuses
    .filter((step) => canStep(status, step))
    .map((step) => `orders.${step === 'ready_for_pickup' ? 'ready-for-pickup' : step}` as const),
  ...nextSteps[payment_status].map((step) => `orders.payment-${step}` as const),
];

interface OrderPath {
  readonly path: { readonly uuid: string };
}

const to =
  (status: OrderStep) =>
  (context: Changing, { path }: OrderPath) =>
    stepOrder(context, path.uuid, status);

const payment =
  (status: PaymentStep) =>
  (context: Changing, { path }: OrderPath) =>
    setPaymentStatus(context, path.uuid, status);

export const orderSteps = {
  'orders.confirmed': writes('orders.confirmed', to('confirmed')),
  'orders.picking': writes('orders.picking', to('picking')),
  'orders.packed': writes('orders.packed', to('packed')),
  'orders.ready-for-pickup': writes('orders.ready-for-pickup', to('ready_for_pickup')),
  'orders.shipped': writes('orders.shipped', to('shipped')),
  'orders.delivered': writes('orders.delivered', to('delivered')),
  'orders.cancelled': writes('orders.cancelled', to('cancelled')),
  'orders.returned': writes('orders.returned', to('returned')),
  'orders.payment-pending': writes('orders.payment-pending', payment('pending')),
  'orders.payment-paid': writes('orders.payment-paid', payment('paid')),
  'orders.payment-failed': writes('orders.payment-failed', payment('failed')),
  'orders.payment-refunded': writes('orders.payment-refunded', payment('refunded')),
};
