import type { Order } from '@dealkeep/contract';
import type { Changing } from '../verb/verb.ts';

/** What an order does to the stock of its products: nothing, reserve it, or take it away. */
type Hold = 'none' | 'reserved' | 'taken';

/** An order reserves stock until it is shipped or delivered; then it has taken it. */
export function stockHold(status: Order['status']): Hold {
  if (status === 'cancelled' || status === 'returned') return 'none';
  return status === 'shipped' || status === 'delivered' ? 'taken' : 'reserved';
}

/** Brings the stock of an order's products from one hold to another. Stock may fall below zero: overselling is allowed. */
export async function moveStock(
  context: Changing,
  orderId: string,
  before: Hold,
  after: Hold,
): Promise<void> {
  if (before === after) return;
  const { sql, organization } = context;
  const reserved = Number(after === 'reserved') - Number(before === 'reserved');
  const onHand = Number(before === 'taken') - Number(after === 'taken');
  await lockProducts(context, orderId);
  await sql`
    update products p
    set stock_reserved = p.stock_reserved + ${reserved}::integer * i.quantity,
        stock_on_hand = p.stock_on_hand + ${onHand}::integer * i.quantity
    from (select product_id, sum(quantity) as quantity from order_items
          where organization_id = ${organization} and order_id = ${orderId} and product_id is not null
          group by product_id) as i
    where p.organization_id = ${organization} and p.id = i.product_id`;
}

/** In one order for everybody, so that two orders of the same products cannot wait for each other. */
async function lockProducts({ sql, organization }: Changing, orderId: string): Promise<void> {
  await sql`
    select 1 from products
    where organization_id = ${organization} and id in (
      select product_id from order_items where organization_id = ${organization} and order_id = ${orderId})
    order by id for no key update`;
}
