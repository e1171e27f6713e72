import { textBytes } from '../lists/cut-page.ts';
import { containsPattern, listPage } from '../lists/list-page.ts';
import { reads } from '../verb/verb.ts';
import { orderRecord, orderRows } from './order-record.ts';

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
