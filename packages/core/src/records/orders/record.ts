import { type Order, type OrderItem, resources } from '@dealkeep/contract';
import { countRecords, listRecords, recordList } from '../../change/paging/list-page.ts';
import { contains, hasEmail } from '../../change/paging/search.ts';
import { monthOf, sumRecords } from '../../change/paging/sum-records.ts';
import {
  defineRecord,
  itsOrganization,
  json,
  moment,
  number,
  oneOf,
  text,
  uuid,
} from '../../change/record-tables/define-record.ts';
import { type ReadContext, reads } from '../../change/verb/verb.ts';
import { amountText } from '../../foundations/numbers/amount-text.ts';

export const orders = defineRecord({
  schema: resources.order.schema,
  table: 'orders',
  alias: 'o',
  columns: {
    id: uuid,
    internal_number: text,
    external_id: text.orNull,
    external_source: text,
    status: oneOf<Order['status']>(),
    payment_status: oneOf<Order['payment_status']>(),
    currency: text,
    subtotal: number,
    discount_total: number,
    shipping_cost: number,
    vat_total: number,
    grand_total: number,
    cod_fee: number.orNull,
    payment_method: text.orNull,
    shipping_method: text.orNull,
    customer_name: text.orNull,
    customer_email: text.orNull,
    customer_phone: text.orNull,
    billing_address: text.orNull,
    delivery_address: text.orNull,
    notes: text.orNull,
    client_id: uuid.orNull,
    company_id: uuid.orNull,
    invoice_id: uuid.orNull,
    created_at: moment,
    updated_at: moment,
    confirmed_at: moment.orNull,
    paid_at: moment.orNull,
    shipped_at: moment.orNull,
    delivered_at: moment.orNull,
    cancelled_at: moment.orNull,
  },
  searched: {
    texts: ['internal_number', 'customer_name'],
    identifiers: ['internal_number', 'external_id', 'customer_email'],
    phones: ['customer_phone'],
    subtitle: `concat_ws(' · ', o.customer_name, ${amountText('o.grand_total', 'o.currency')} || ' ' || o.currency)`,
  },
  joined: {
    items: json<OrderItem[]>().from(`coalesce((
      select json_agg(json_build_object(
        'uuid', i.id, 'name', i.name, 'sku', i.sku, 'product_uuid', i.product_id, 'quantity', i.quantity,
        'unit_price', i.unit_price, 'vat_rate', i.vat_rate, 'discount_pct', i.discount_pct,
        'line_total', i.line_total, 'notes', i.notes) order by i.position)
      from order_items i where i.organization_id = ${itsOrganization} and i.order_id = o.id), '[]')`),
  },
  shown: (row, { core }) => ({
    uuid: row.id,
    client_uuid: row.client_id,
    company_uuid: row.company_id,
    invoice_uuid: row.invoice_id,
    app_url: `${core.origin}/orders/${row.id}`,
  }),
});

export const getOrder = reads('orders.get', (context, { path }) => orders.get(context, path.uuid));

const orderList = (context: ReadContext) => {
  const { sql } = context;
  return recordList({
    id: 'orders.list',
    record: orders,
    sorts: { grand_total: { column: 'grand_total', type: 'numeric' } },
    filters: {
      q: (text) => contains(sql, text, ...orders.searchedTexts),
      status: (status) => sql`o.status = ${status}`,
      payment_status: (status) => sql`o.payment_status = ${status}`,
      external_id: (id) => sql`o.external_id = ${id}`,
      external_source: (source) => sql`o.external_source = ${source}`,
      customer_email: (email) => hasEmail(context, orders, 'customer_email', email),
      client_uuid: (id) => sql`o.client_id = ${id}`,
      company_uuid: (id) => sql`o.company_id = ${id}`,
    },
    items: (rows) => orders.records(context, rows),
  });
};

export const listOrders = reads('orders.list', (context, { query }) =>
  listRecords(context, query, orderList(context)),
);

export const countOrders = reads('orders.count', (context, { query }) =>
  countRecords(context, query, orderList(context)),
);

export const sumOrders = reads('orders.sum', async (context, { query: { by, ...query } }) => {
  const { sql } = context;
  const referenceData = await context.referenceData();
  return sumRecords(context, { by, query }, orderList(context), {
    amount: sql`o.grand_total`,
    currency: sql`o.currency`,
    groupings: {
      status: { of: sql`o.status` },
      payment_status: { of: sql`o.payment_status` },
      company: { of: sql`o.company_id`, named: 'companies' },
      created_month: { of: monthOf.moment(sql, 'o.created_at', referenceData) },
    },
  });
});
