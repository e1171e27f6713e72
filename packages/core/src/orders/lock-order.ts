import { notFound } from '../problem.ts';
import type { Changing } from '../verb/verb.ts';
import type { OrderColumns } from './order-record.ts';

/** The order's row, locked until the transaction ends. Raises NOT_FOUND. */
export async function lockOrder({ sql, organization }: Changing, id: string): Promise<OrderColumns> {
  const [row] = await sql<OrderColumns[]>`
    select * from orders where organization_id = ${organization} and id = ${id} for no key update`;
  if (!row) throw notFound();
  return row;
}
