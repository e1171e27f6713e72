import { type Order, text } from '@dealkeep/contract';
import { possibleOrderSteps } from '@dealkeep/core/records';
import { textIn } from '../../values/shown-record.ts';
import { orderBegins } from '../beginnings.ts';
import { orderOfSomebody } from '../form-rules.ts';
import { columnLabels, customerColumn } from '../list-cells.ts';
import type { Presentation } from '../presentation.ts';

export const order: Presentation = {
  resource: 'order',
  path: '/orders',
  icon: 'shopping-cart',
  group: 'shop',
  key: 'o',
  object: text('the order', 'objednávku'),
  createLabel: text('Create order', 'Vytvoriť objednávku'),
  idField: 'uuid',
  columns: [
    'internal_number',
    customerColumn(columnLabels.customer, ['customer_name', 'client_uuid', 'company_uuid'], (record) => {
      const [client, company] = [textIn(record, 'client_uuid'), textIn(record, 'company_uuid')];
      const address = client ? `/clients/${client}` : company ? `/companies/${company}` : undefined;
      return { name: textIn(record, 'customer_name') || textIn(record, 'customer_email'), address };
    }),
    'status',
    'payment_status',
    'grand_total',
    'created_at',
  ],
  labels: {
    internal_number: text('Order no.', 'Číslo objednávky'),
    external_id: text('No. in the shop', 'Číslo v e-shope'),
    external_source: text('Comes from', 'Odkiaľ je'),
    payment_status: text('Payment', 'Platba'),
    payment_method: text('Paid by', 'Spôsob platby'),
    shipping_method: text('Shipped by', 'Spôsob dopravy'),
    subtotal: text('Without VAT', 'Bez DPH'),
    vat_total: text('VAT', 'DPH'),
    grand_total: text('To pay', 'Na úhradu'),
    shipping_cost: text('Shipping', 'Doprava'),
    customer_name: columnLabels.customer,
    customer_email: text('E-mail', 'E-mail'),
    customer_phone: text('Phone', 'Telefón'),
    billing_address: text('Billing address', 'Fakturačná adresa'),
    delivery_address: text('Delivery address', 'Dodacia adresa'),
    'customer.name': text('Name', 'Meno'),
    'customer.email': text('E-mail', 'E-mail'),
    'customer.phone': text('Phone', 'Telefón'),
    'items.name': text('Item', 'Položka'),
    'items.line_total': text('Total', 'Spolu'),
    'items.vat_rate': text('VAT', 'DPH'),
    'items.unit_price': text('Price each', 'Cena za kus'),
    'items.discount_pct': text('Discount', 'Zľava'),
    'items.notes': text('Notes', 'Poznámky'),
  },
  form: [{ fields: ['customer', 'items', 'auto_confirm'] }],
  more: [
    'shipping_method',
    'shipping_cost',
    'payment_method',
    'discount_total',
    'currency',
    'external_id',
    'external_source',
    'notes',
  ],
  begins: orderBegins,
  unexplained: ['currency'],
  page: [
    {
      heading: text('Order', 'Objednávka'),
      fields: [
        'internal_number',
        'status',
        'payment_status',
        'payment_method',
        'shipping_method',
        'external_id',
        'external_source',
      ],
    },
    {
      heading: columnLabels.customer,
      fields: [
        'customer_name',
        'customer_email',
        'customer_phone',
        'billing_address',
        'delivery_address',
        'client_uuid',
        'company_uuid',
        'invoice_uuid',
      ],
    },
    { heading: text('Items', 'Položky'), fields: ['items'] },
    {
      heading: text('Sums', 'Súčty'),
      fields: [
        'subtotal',
        'discount_total',
        'shipping_cost',
        'cod_fee',
        'vat_total',
        'grand_total',
        'currency',
      ],
    },
    {
      heading: text('About', 'O objednávke'),
      fields: [
        'notes',
        'created_at',
        'confirmed_at',
        'paid_at',
        'shipped_at',
        'delivered_at',
        'cancelled_at',
        'updated_at',
      ],
    },
  ],
  leftOut: {
    page: { uuid: 'the address of the page holds it', app_url: 'it is this page' },
  },
  rules: [orderOfSomebody],
  teaches: text(
    'What customers ordered, from new to delivered.',
    'Čo si zákazníci objednali, od novej po doručenú.',
  ),
  automates: text(
    'An automation in Zapier, n8n or Activepieces can bring orders here from your shop, and tell it when they are shipped.',
    'Automatizácia v Zapieri, n8n alebo Activepieces sem môže prenášať objednávky z e-shopu a oznámiť mu ich odoslanie.',
  ),
  possible: (record) => possibleOrderSteps(record as Order),
  life: {
    states: [
      ['new'],
      ['confirmed'],
      ['picking'],
      ['packed'],
      ['shipped', 'ready_for_pickup'],
      ['delivered', 'returned'],
    ],
    next: [
      'orders.confirmed',
      'orders.picking',
      'orders.packed',
      'orders.shipped',
      'orders.delivered',
      'orders.payment-paid',
    ],
  },
  views: [
    { name: text('New', 'Nové'), query: 'status=new' },
    {
      name: text('To send', 'Na odoslanie'),
      query: 'status=confirmed,picking,packed',
    },
  ],
};
