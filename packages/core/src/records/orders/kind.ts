import { column, field } from '../../change/record-tables/erased.ts';
import type { RecordKind } from '../../change/record-tables/record-kind.ts';
import { createOrder } from './create.ts';
import { countOrders, getOrder, listOrders, orders, sumOrders } from './record.ts';
import { orderSteps } from './steps.ts';

export const order = {
  table: orders,
  parts: ['order_items'],
  verbs: {
    'orders.list': listOrders,
    'orders.count': countOrders,
    'orders.sum': sumOrders,
    'orders.create': createOrder,
    'orders.get': getOrder,
    ...orderSteps,
  },
  erased: {
    with: [
      { kind: 'company', column: 'company_id' },
      { kind: 'client', column: 'client_id' },
    ],
    columns: {
      customer_name: column.nothing,
      customer_email: column.nothing,
      customer_phone: column.nothing,
      billing_address: column.nothing,
      delivery_address: column.nothing,
      notes: column.nothing,
    },
    fields: {
      customer_name: field.nothing,
      customer_email: field.nothing,
      customer_phone: field.nothing,
      billing_address: field.nothing,
      delivery_address: field.nothing,
      notes: field.nothing,
      items: { fields: { notes: field.nothing } },
    },
    itemColumns: ['notes'],
  },
} as const satisfies RecordKind;
