import type { Order } from '@dealkeep/contract';
import { laterOf } from '../clock.ts';
import type { Core } from '../core.ts';
import { Problem } from '../problem.ts';
import { type OrganizationName, transact } from '../verb/transact.ts';
import type { Changing } from '../verb/verb.ts';
import { lockOrder } from './lock-order.ts';
import { moveStock, stockHold } from './move-stock.ts';
import { type OrderColumns, readOrder } from './order-record.ts';

/** What an order can become after it was new. */
export type OrderStep = Exclude<Order['status'], 'new'>;

const orderSteps: readonly OrderStep[] = [
  ...(['confirmed', 'picking', 'packed', 'ready_for_pickup', 'shipped', 'delivered'] as const),
  ...(['cancelled', 'returned'] as const),
];

/** How far an order is; two ways out of the house stand side by side. */
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

const momentOf: Readonly<Partial<Record<OrderStep, keyof OrderColumns>>> = {
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
    const { sql, now } = context;
    const row = await lockOrder(context, uuid);
    if (!canStep(row.status, status)) throw new Problem('record.wrong_state', { state: row.status });
    const steppedAt = laterOf(now, row.updated_at);
    const moment = momentOf[status];
    const changes = { status, updated_at: steppedAt, ...(moment ? { [moment]: steppedAt } : {}) };
    await sql`
      update orders set ${sql(changes)} where organization_id = ${organization.id} and id = ${uuid}`;
    await moveStock(context, uuid, stockHold(row.status), stockHold(status));
    const stepped = await readOrder(context, uuid);
    context.emit(`order.${status}`, stepped);
    return stepped;
  });
