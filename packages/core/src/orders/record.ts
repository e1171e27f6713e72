import type { Order, OrderItem } from '@dealkeep/contract';
import type { Core } from '../core.ts';
import type { Fragment, Statements } from '../database/connect.ts';
import { textBytes } from '../paging/cursor.ts';
import { containsPattern, listPage } from '../paging/list-page.ts';
import { notFound } from '../problem.ts';
import { type Changing, reads, type Scope } from '../verb/verb.ts';

/** The order's own columns. */
export interface OrderColumns {
  id: string;
  internal_number: string;
  external_id: string | null;
  external_source: string;
  status: Order['status'];
  payment_status: Order['payment_status'];
  currency: string;
  subtotal: number;
  discount_total: number;
  shipping_cost: number;
  vat_total: number;
  grand_total: number;
  cod_fee: number | null;
  payment_method: string | null;
  shipping_method: string | null;
  customer_name: string | null;
  customer_email: string | null;
  customer_phone: string | null;
  billing_address: string | null;
  delivery_address: string | null;
  notes: string | null;
  client_id: string | null;
  company_id: string | null;
  invoice_id: string | null;
  created_at: string;
  updated_at: string;
  confirmed_at: string | null;
  paid_at: string | null;
  shipped_at: string | null;
  delivered_at: string | null;
  cancelled_at: string | null;
}

interface OrderRow extends OrderColumns {
  items: OrderItem[] | null;
  sort_value: string | null;
}

/** Rows of orders (alias `o`) with their items as the API shows them, in their order. */
const orderRows = (sql: Statements, rest: Fragment, sortValue: Fragment = sql`null`) =>
  sql<OrderRow[]>`
    select o.*, ${sortValue} as sort_value,
      (select json_agg(json_build_object(
         'uuid', i.id, 'name', i.name, 'sku', i.sku, 'product_uuid', i.product_id, 'quantity', i.quantity,
         'unit_price', i.unit_price, 'vat_rate', i.vat_rate, 'discount_pct', i.discount_pct,
         'line_total', i.line_total, 'notes', i.notes) order by i.position)
       from order_items i where i.organization_id = o.organization_id and i.order_id = o.id) as items
    from orders o
    where ${rest}`;

const orderRecord = (row: OrderRow, core: Core): Order => ({
  uuid: row.id,
  internal_number: row.internal_number,
  external_id: row.external_id,
  external_source: row.external_source,
  status: row.status,
  payment_status: row.payment_status,
  currency: row.currency,
  subtotal: row.subtotal,
  discount_total: row.discount_total,
  shipping_cost: row.shipping_cost,
  vat_total: row.vat_total,
  grand_total: row.grand_total,
  cod_fee: row.cod_fee,
  payment_method: row.payment_method,
  shipping_method: row.shipping_method,
  customer_name: row.customer_name,
  customer_email: row.customer_email,
  customer_phone: row.customer_phone,
  billing_address: row.billing_address,
  delivery_address: row.delivery_address,
  notes: row.notes,
  client_uuid: row.client_id,
  company_uuid: row.company_id,
  invoice_uuid: row.invoice_id,
  items: row.items ?? [],
  created_at: row.created_at,
  updated_at: row.updated_at,
  confirmed_at: row.confirmed_at,
  paid_at: row.paid_at,
  shipped_at: row.shipped_at,
  delivered_at: row.delivered_at,
  cancelled_at: row.cancelled_at,
  app_url: `${core.origin}/orders/${row.id}`,
});

/** An order as GET answers it. Raises NOT_FOUND. */
export async function readOrder({ core, sql, organization }: Scope, id: string): Promise<Order> {
  const [row] = await orderRows(sql, sql`o.organization_id = ${organization} and o.id = ${id}`);
  if (!row) throw notFound();
  return orderRecord(row, core);
}

export const getOrder = reads('orders.get', (context, { path }) => readOrder(context, path.uuid));

export const listOrders = reads('orders.list', (context, { query }) => {
  const { core, sql } = context;
  return listPage(context, query, {
    id: 'orders.list',
    alias: 'o',
    weight: sql`${textBytes(sql, ['o.notes', 'o.payment_method', 'o.shipping_method', 'o.customer_name', 'o.customer_phone', 'o.billing_address', 'o.delivery_address'])} + (
      select coalesce(sum(200 + octet_length(i.name) + octet_length(i.sku) + coalesce(octet_length(i.notes), 0)), 0)::integer
      from order_items i where i.organization_id = o.organization_id and i.order_id = o.id)`,
    sorts: { grand_total: { column: 'grand_total', type: 'numeric' } },
    filters: {
      q: (text) => {
        const pattern = containsPattern(text);
        return sql`(o.internal_number ilike ${pattern} or o.customer_name ilike ${pattern})`;
      },
      status: (status) => sql`o.status = ${status}`,
      payment_status: (status) => sql`o.payment_status = ${status}`,
      external_id: (id) => sql`o.external_id = ${id}`,
      external_source: (source) => sql`o.external_source = ${source}`,
      customer_email: (email) => sql`lower(o.customer_email) = lower(${email})`,
      client_uuid: (id) => sql`o.client_id = ${id}`,
      company_uuid: (id) => sql`o.company_id = ${id}`,
    },
    rows: ({ where, order, sortValue, limit }) =>
      orderRows(sql, sql`${where} order by ${order} limit ${limit}`, sortValue),
    items: (rows) => rows.map((row) => orderRecord(row, core)),
  });
});

/** The order's row, locked until the transaction ends. Raises NOT_FOUND. */
export async function lockOrder({ sql, organization }: Changing, id: string): Promise<OrderColumns> {
  const [row] = await sql<OrderColumns[]>`
    select * from orders where organization_id = ${organization} and id = ${id} for no key update`;
  if (!row) throw notFound();
  return row;
}
