import * as z from 'zod';
import { type EventDeclaration, sampleMoment } from '../event.ts';
import { describe, holdsJson, leftOut } from '../field.ts';
import { limits } from '../limits.ts';
import { listQuery, search } from '../list-query.ts';
import { consoleOperation, operation } from '../operation.ts';
import type { RecordDeclaration } from '../resource.ts';
import * as field from '../scalars.ts';
import { address, appUrlOf, body, createdAt, exampleRef, record, updatedAt, uuidOf } from '../shapes.ts';
import { type Text, text } from '../text.ts';

const statuses = {
  new: text('New', 'Nová'),
  confirmed: text('Confirmed', 'Potvrdená'),
  picking: text('Picking', 'Pripravuje sa'),
  packed: text('Packed', 'Zabalená'),
  ready_for_pickup: text('Ready for Pickup', 'Pripravená na odber'),
  shipped: text('Shipped', 'Odoslaná'),
  delivered: text('Delivered', 'Doručená'),
  cancelled: text('Cancelled', 'Zrušená'),
  returned: text('Returned', 'Vrátená'),
};
const status = field.choice({ label: text('Status', 'Stav'), choices: statuses, example: 'new' });
const paymentStatuses = {
  unpaid: text('Unpaid', 'Neuhradená'),
  pending: text('Pending', 'Čaká'),
  paid: text('Paid', 'Uhradená'),
  refunded: text('Refunded', 'Vrátená'),
  failed: text('Failed', 'Zlyhala'),
};
const paymentStatus = field.choice({
  label: text('Payment Status', 'Stav platby'),
  choices: paymentStatuses,
  example: 'unpaid',
});
const plain = (en: string, sk: string, example: string, max?: number) =>
  field.string({ label: text(en, sk), example, ...(max ? { max } : {}) });
const money = (en: string, sk: string, example: number) => field.money({ label: text(en, sk), example });
const moment = (en: string, sk: string) =>
  field.dateTime({ label: text(en, sk), example: '2026-10-02T10:15:00.000Z' });
const id = (en: string, sk: string, refersTo: 'client' | 'company' | 'invoice' | 'product') =>
  field.uuid({ label: text(en, sk), example: exampleRef[refersTo].id, refersTo });

const externalId = field.string({
  label: text('External ID', 'Externé ID'),
  help: text(
    'The number of the order where it comes from. A second order of the same number and source is refused.',
    'Číslo objednávky tam, odkiaľ pochádza. Druhá objednávka s rovnakým číslom a zdrojom sa odmietne.',
  ),
  example: 'SHOP-10482',
  max: 255,
});
const externalSource = field.string({
  label: text('External Source', 'Externý zdroj'),
  help: text(
    'Where the external ID comes from, such as the name of a shop.',
    'Odkiaľ je externé ID, napríklad názov obchodu.',
  ),
  example: 'shop',
  max: 50,
});
const currencyText = {
  label: text('Currency', 'Mena'),
  help: text('Three-letter code (ISO 4217).', 'Trojpísmenový kód (ISO 4217).'),
  example: 'EUR',
};
const discountTotal = field.amount({ label: text('Discount', 'Zľava'), example: 5 });
const shippingCost = field.amount({
  label: text('Shipping Cost', 'Doprava'),
  help: text('Carries no VAT.', 'Bez DPH.'),
  example: 4.9,
});
const paymentMethod = plain('Payment Method', 'Spôsob platby', 'card');
const shippingMethod = plain('Shipping Method', 'Spôsob dopravy', 'courier');
const customerName = field.looseName({
  label: text('Customer Name', 'Zákazník – meno'),
  example: 'Eva Šimková',
});
const customerEmail = field.email({
  label: text('Customer Email', 'Zákazník – e-mail'),
  example: 'eva@customer.example',
});
const customerPhone = plain('Customer Phone', 'Zákazník – telefón', '+421 905 654 321');
const billingAddress = plain('Billing Address', 'Fakturačná adresa', 'Štúrova 12, 040 01 Košice');
const deliveryAddressText = {
  label: text('Delivery Address', 'Dodacia adresa'),
  help: text(
    'JSON text with street, city, postal_code and country; any other text becomes the street.',
    'Text JSON s poľami street, city, postal_code a country; iný text sa stane ulicou.',
  ),
  example: '{"street":"Štúrova 12","city":"Košice","postal_code":"040 01","country":"SK"}',
};
const deliveryAddressParts = z.object({
  ...address.shape,
  country: field.string({ label: text('Country', 'Krajina'), example: 'SK' }).nullable(),
});
const deliveryAddress = holdsJson(field.string(deliveryAddressText), deliveryAddressParts);
/** As it is answered: longer than the text that was sent. */
const keptDeliveryAddress = holdsJson(describe(z.string(), deliveryAddressText), deliveryAddressParts);
const notes = field.string({ label: text('Notes', 'Poznámky'), example: 'Ring twice.', multiline: true });
const item = {
  sku: plain('SKU', 'SKU', 'BIKE-CITY-28'),
  quantity: field.quantity({ label: text('Quantity', 'Množstvo'), example: 2 }),
  unitPrice: field.amount({ label: text('Unit Price', 'Jednotková cena'), example: 450 }),
  vatRate: field.percentage({ label: text('VAT Rate', 'Sadzba DPH'), example: 23 }),
  discount: field.percentage({ label: text('Discount in Percent', 'Zľava v percentách'), example: 10 }),
  notes: plain('Item Notes', 'Poznámka k položke', 'Blue frame'),
};
const productUuid = field.reference('product', { label: text('Product', 'Produkt') });
const clientUuid = field.reference('client', { label: text('Client', 'Klient') });
const companyUuid = field.reference('company', { label: text('Company', 'Firma') });

export const OrderItem = record(
  'OrderItem',
  { label: text('Item', 'Položka') },
  {
    uuid: uuidOf(exampleRef.orderItem),
    name: plain('Item Name', 'Názov položky', 'City bike'),
    sku: item.sku,
    product_uuid: id('Product UUID', 'Produkt – UUID', 'product').nullable(),
    quantity: item.quantity,
    unit_price: item.unitPrice,
    vat_rate: item.vatRate,
    discount_pct: item.discount.nullable(),
    line_total: money('Line Total', 'Spolu za položku', 810),
    notes: item.notes.nullable(),
  },
);

export const orderLabel = text('Order', 'Objednávka');

export const Order = record(
  'Order',
  { label: orderLabel },
  {
    uuid: uuidOf(exampleRef.order),
    internal_number: plain('Internal Number', 'Interné číslo', 'O-2026-0108'),
    external_id: externalId.nullable(),
    external_source: externalSource,
    status,
    payment_status: paymentStatus,
    currency: field.keptCurrency(currencyText),
    subtotal: money('Subtotal', 'Základ', 810),
    discount_total: discountTotal,
    shipping_cost: shippingCost,
    vat_total: money('VAT Total', 'DPH spolu', 186.3),
    grand_total: money('Grand Total', 'Celkom', 996.2),
    cod_fee: field.amount({ label: text('Cash-on-Delivery Fee', 'Dobierka'), example: 0 }).nullable(),
    payment_method: paymentMethod.nullable(),
    shipping_method: shippingMethod.nullable(),
    customer_name: customerName.nullable(),
    customer_email: customerEmail.nullable(),
    customer_phone: customerPhone.nullable(),
    billing_address: billingAddress.nullable(),
    delivery_address: keptDeliveryAddress.nullable(),
    notes: notes.nullable(),
    client_uuid: id('Client UUID', 'Klient – UUID', 'client').nullable(),
    company_uuid: id('Company UUID', 'Firma – UUID', 'company').nullable(),
    invoice_uuid: id('Invoice UUID', 'Faktúra – UUID', 'invoice').nullable(),
    items: field.list(OrderItem, { label: text('Items', 'Položky') }),
    created_at: createdAt.nullable(),
    updated_at: updatedAt.nullable(),
    confirmed_at: moment('Confirmed At', 'Potvrdená').nullable(),
    paid_at: moment('Paid At', 'Uhradená').nullable(),
    shipped_at: moment('Shipped At', 'Odoslaná').nullable(),
    delivered_at: moment('Delivered At', 'Doručená').nullable(),
    cancelled_at: moment('Cancelled At', 'Zrušená').nullable(),
    app_url: appUrlOf('orders', exampleRef.order),
  },
);

export const CreateOrder = body(
  'OrderCreate',
  { label: orderLabel },
  {
    customer: body(
      'OrderCustomer',
      { label: text('Customer', 'Zákazník') },
      {
        name: customerName.nullish(),
        email: customerEmail.nullish(),
        phone: customerPhone.nullish(),
        billing_address: billingAddress.nullish(),
        delivery_address: deliveryAddress.nullish(),
        client_uuid: clientUuid.nullish(),
        company_uuid: companyUuid.nullish(),
      },
    ),
    items: field.list(
      body(
        'OrderItemCreate',
        { label: text('Item', 'Položka'), oneOf: { fields: ['product_uuid', 'sku'] } },
        {
          quantity: item.quantity,
          product_uuid: leftOut(
            productUuid.nullish(),
            text('An item needs a product or a SKU.', 'Položka potrebuje produkt alebo SKU.'),
          ),
          sku: leftOut(
            item.sku.nullish(),
            text(
              'Finds the product by its SKU. One that no product has needs a unit price.',
              'Nájde produkt podľa SKU. Ak ho žiadny produkt nemá, treba jednotkovú cenu.',
            ),
          ),
          unit_price: leftOut(
            item.unitPrice.nullish(),
            text('The price of the product when not given.', 'Ak sa neuvedie, cena produktu.'),
          ),
          vat_rate: leftOut(
            item.vatRate.nullish(),
            text(
              'In percent; that of the product when not given.',
              'V percentách; ak sa neuvedie, sadzba produktu.',
            ),
          ),
          discount_pct: item.discount.nullish(),
          notes: item.notes.nullish(),
        },
      ),
      { label: text('Items', 'Položky'), min: 1, max: limits.listItems },
    ),
    auto_confirm: field
      .boolean({
        label: text('Confirm at Once', 'Hneď potvrdiť'),
        help: text('The new order is confirmed.', 'Nová objednávka je potvrdená.'),
        example: true,
      })
      .nullish(),
    // Orders take a currency in either case (rule orders 4), invoices in upper case alone.
    currency: leftOut(
      field.currencyInAnyCase(currencyText).nullish(),
      text('The currency of the organization when not given.', 'Ak sa neuvedie, mena organizácie.'),
    ),
    discount_total: discountTotal.nullish(),
    shipping_cost: shippingCost.nullish(),
    external_id: externalId.nullish(),
    external_source: leftOut(
      externalSource.nullish(),
      text('"api" when not given.', 'Ak sa neuvedie, „api“.'),
    ),
    payment_method: paymentMethod.nullish(),
    shipping_method: shippingMethod.nullish(),
    notes: notes.nullish(),
  },
);

const common = { resource: 'order', answer: Order, refusesLegacyKeys: true } as const;
const read = { ...common, method: 'GET', scope: 'orders:read', statuses: [200], errors: [] } as const;

export const orderOperations = {
  'orders.list': operation({
    ...read,
    id: 'orders.list',
    kind: 'list',
    path: '/orders',
    query: listQuery(
      {
        q: search(
          text(
            "Part of the internal number or the customer's name.",
            'Časť interného čísla alebo mena zákazníka.',
          ),
          'O-2026-0108',
        ),
        status: status.optional(),
        payment_status: paymentStatus.optional(),
        external_id: externalId.optional(),
        external_source: externalSource.optional(),
        customer_email: customerEmail.optional(),
        client_uuid: clientUuid.optional(),
        company_uuid: companyUuid.optional(),
      },
      ['grand_total'],
    ),
    shape: 'list',
    title: text('List orders', 'Zoznam objednávok'),
    about: text('Orders of the organization, page by page.', 'Objednávky organizácie po stránkach.'),
  }),
  'orders.create': operation({
    ...common,
    id: 'orders.create',
    kind: 'create',
    method: 'POST',
    path: '/orders',
    scope: 'orders:write',
    body: CreateOrder,
    shape: 'record',
    statuses: [201],
    errors: ['CONFLICT'],
    emits: ['order.created', 'order.confirmed'],
    title: text('Create an order', 'Vytvoriť objednávku'),
    about: text(
      'Records an order and reserves its stock. No money is moved.',
      'Zaeviduje objednávku a rezervuje zásoby. Peniaze sa neprevádzajú.',
    ),
    instruction: 'Record an order and reserve its stock. No money is moved.',
    binding: true,
  }),
  'orders.get': operation({
    ...read,
    id: 'orders.get',
    kind: 'get',
    path: '/orders/{uuid}',
    shape: 'record',
    title: text('Get an order', 'Zobraziť objednávku'),
    about: text('One order with its items.', 'Jedna objednávka s položkami.'),
  }),
};

const step = {
  resource: 'order',
  answer: Order,
  kind: 'action',
  method: 'POST',
  permissions: ['orders.edit'],
  shape: 'record',
  errors: ['CONFLICT'],
} as const;

/** Takes an order to a status; `name` is its part of the id and of the address. */
function stepTo<const Name extends string>(
  name: Name,
  status: keyof typeof statuses,
  says: Text,
  ends: { destructive?: true } = {},
) {
  const { en, sk } = statuses[status];
  const stock = ends.destructive
    ? text('Its stock is free again.', 'Jej zásoby sú opäť voľné.')
    : text('Steps in between are left out.', 'Kroky medzitým sa vynechajú.');
  return consoleOperation({
    ...step,
    id: `orders.${name}`,
    path: `/orders/{uuid}/${name}`,
    emits: [`order.${status}`],
    title: text(`Mark as: ${en}`, `Označiť: ${sk}`),
    about: text(
      `The order becomes “${en}”. ${stock.en} This cannot be taken back.`,
      `Objednávka bude v stave „${sk}“. ${stock.sk} Nedá sa to vrátiť.`,
    ),
    ...ends,
    step: { label: says, asks: ends.destructive ?? false },
  });
}

/** Notes what became of an order's payment. */
function paymentTo<const Name extends keyof typeof paymentStatuses>(
  name: Name,
  events: readonly string[],
  says: Text,
  ends: { destructive?: true } = {},
) {
  const { en, sk } = paymentStatuses[name];
  return consoleOperation({
    ...step,
    id: `orders.payment-${name}`,
    path: `/orders/{uuid}/payment-${name}`,
    emits: events,
    title: text(`Payment: ${en}`, `Platba: ${sk}`),
    about: text(
      `The payment becomes “${en}”. No money is moved by this.`,
      `Platba bude v stave „${sk}“. Peniaze sa tým neprevádzajú.`,
    ),
    ...ends,
    step: { label: says, asks: ends.destructive ?? false },
  });
}

const ends = { destructive: true } as const;

export const orderConsoleOperations = {
  'orders.confirmed': stepTo('confirmed', 'confirmed', text('Confirm order', 'Potvrdiť objednávku')),
  'orders.picking': stepTo('picking', 'picking', text('Start picking', 'Začať pripravovať')),
  'orders.packed': stepTo('packed', 'packed', text('Mark as packed', 'Označiť ako zabalenú')),
  'orders.ready-for-pickup': stepTo(
    'ready-for-pickup',
    'ready_for_pickup',
    text('Ready for pickup', 'Pripravená na odber'),
  ),
  'orders.shipped': stepTo('shipped', 'shipped', text('Mark as shipped', 'Označiť ako odoslanú')),
  'orders.delivered': stepTo('delivered', 'delivered', text('Mark as delivered', 'Označiť ako doručenú')),
  'orders.cancelled': stepTo('cancelled', 'cancelled', text('Cancel order', 'Zrušiť objednávku'), ends),
  'orders.returned': stepTo('returned', 'returned', text('Record a return', 'Zaznamenať vrátenie'), ends),
  'orders.payment-pending': paymentTo(
    'pending',
    ['order.payment_pending'],
    text('Payment is pending', 'Platba čaká'),
  ),
  'orders.payment-paid': paymentTo(
    'paid',
    ['order.payment_paid', 'order.paid'],
    text('Mark as paid', 'Označiť ako uhradenú'),
  ),
  'orders.payment-failed': paymentTo(
    'failed',
    ['order.payment_failed'],
    text('Payment failed', 'Platba zlyhala'),
  ),
  'orders.payment-refunded': paymentTo(
    'refunded',
    ['order.payment_refunded'],
    text('Record a refund', 'Zaznamenať vrátenie platby'),
    ends,
  ),
};

const reached = (status: string, more: Readonly<Record<string, string>> = {}) => ({
  status,
  confirmed_at: sampleMoment,
  ...more,
});
const paymentIs = (status: string, more: Readonly<Record<string, string>> = {}) => ({
  payment_status: status,
  ...more,
});

const told = {
  entity: 'order',
  scope: 'orders:read',
  filters: { status: 'status', payment_status: 'payment_status' },
  formerly: [
    'status',
    'payment_status',
    'confirmed_at',
    'paid_at',
    'shipped_at',
    'delivered_at',
    'cancelled_at',
  ],
} as const;

const events = {
  'order.created': {
    ...told,
    category: 'created',
    label: text('Order created', 'Objednávka vytvorená'),
    description: text('An order was created.', 'Bola vytvorená objednávka.'),
  },
  'order.confirmed': {
    ...told,
    category: 'status',
    leaves: { status: 'confirmed' },
    label: text('Order confirmed', 'Objednávka potvrdená'),
    description: text('An order was confirmed.', 'Objednávka bola potvrdená.'),
    sample: reached('confirmed'),
    sampleBefore: { status: 'new', confirmed_at: null },
  },
  'order.paid': {
    ...told,
    category: 'status',
    leaves: { payment_status: 'paid' },
    label: text('Order paid', 'Objednávka uhradená'),
    description: text('An order was paid for the first time.', 'Objednávka bola prvýkrát uhradená.'),
    sample: paymentIs('paid', { paid_at: sampleMoment }),
    sampleBefore: { payment_status: 'unpaid', paid_at: null },
  },
  'order.picking': {
    ...told,
    category: 'status',
    leaves: { status: 'picking' },
    label: text('Order picking', 'Objednávka sa pripravuje'),
    description: text('The items of an order are being picked.', 'Položky objednávky sa pripravujú.'),
    sample: reached('picking'),
    sampleBefore: { status: 'confirmed' },
  },
  'order.packed': {
    ...told,
    category: 'status',
    leaves: { status: 'packed' },
    label: text('Order packed', 'Objednávka zabalená'),
    description: text('An order was packed.', 'Objednávka bola zabalená.'),
    sample: reached('packed'),
    sampleBefore: { status: 'picking' },
  },
  'order.ready_for_pickup': {
    ...told,
    category: 'status',
    leaves: { status: 'ready_for_pickup' },
    label: text('Order ready for pickup', 'Objednávka pripravená na odber'),
    description: text('An order is ready for pickup.', 'Objednávka je pripravená na odber.'),
    sample: reached('ready_for_pickup'),
    sampleBefore: { status: 'packed' },
  },
  'order.shipped': {
    ...told,
    category: 'status',
    leaves: { status: 'shipped' },
    label: text('Order shipped', 'Objednávka odoslaná'),
    description: text('An order was shipped.', 'Objednávka bola odoslaná.'),
    sample: reached('shipped', { shipped_at: sampleMoment }),
    sampleBefore: { status: 'packed', shipped_at: null },
  },
  'order.delivered': {
    ...told,
    category: 'status',
    leaves: { status: 'delivered' },
    label: text('Order delivered', 'Objednávka doručená'),
    description: text('An order was delivered.', 'Objednávka bola doručená.'),
    sample: reached('delivered', { shipped_at: sampleMoment, delivered_at: sampleMoment }),
    sampleBefore: { status: 'shipped', delivered_at: null },
  },
  'order.cancelled': {
    ...told,
    category: 'status',
    leaves: { status: 'cancelled' },
    label: text('Order cancelled', 'Objednávka zrušená'),
    description: text('An order was cancelled.', 'Objednávka bola zrušená.'),
    sample: { status: 'cancelled', cancelled_at: sampleMoment },
    sampleBefore: { status: 'new', cancelled_at: null },
  },
  'order.returned': {
    ...told,
    category: 'status',
    leaves: { status: 'returned' },
    label: text('Order returned', 'Objednávka vrátená'),
    description: text('An order was returned.', 'Objednávka bola vrátená.'),
    sample: reached('returned', { shipped_at: sampleMoment, delivered_at: sampleMoment }),
    sampleBefore: { status: 'delivered' },
  },
  'order.payment_pending': {
    ...told,
    category: 'payment',
    leaves: { payment_status: 'pending' },
    label: text('Order payment pending', 'Platba objednávky čaká'),
    description: text('The payment of an order is pending.', 'Platba objednávky čaká na spracovanie.'),
    sample: paymentIs('pending'),
    sampleBefore: { payment_status: 'unpaid' },
  },
  'order.payment_paid': {
    ...told,
    category: 'payment',
    leaves: { payment_status: 'paid' },
    label: text('Order payment paid', 'Platba objednávky prijatá'),
    description: text('The payment of an order was received.', 'Platba objednávky bola prijatá.'),
    sample: paymentIs('paid', { paid_at: sampleMoment }),
    sampleBefore: { payment_status: 'unpaid', paid_at: null },
  },
  'order.payment_refunded': {
    ...told,
    category: 'payment',
    leaves: { payment_status: 'refunded' },
    label: text('Order payment refunded', 'Platba objednávky vrátená'),
    description: text('The payment of an order was refunded.', 'Platba objednávky bola vrátená.'),
    sample: paymentIs('refunded', { paid_at: sampleMoment }),
    sampleBefore: { payment_status: 'paid' },
  },
  'order.payment_failed': {
    ...told,
    category: 'payment',
    leaves: { payment_status: 'failed' },
    label: text('Order payment failed', 'Platba objednávky zlyhala'),
    description: text('The payment of an order failed.', 'Platba objednávky zlyhala.'),
    sample: paymentIs('failed'),
    sampleBefore: { payment_status: 'pending' },
  },
} as const satisfies Record<string, EventDeclaration>;

export const order = {
  label: orderLabel,
  plural: text('Orders', 'Objednávky'),
  schema: Order,
  kind: 'record',
  brief: [
    'uuid',
    'internal_number',
    'external_id',
    'status',
    'payment_status',
    'grand_total',
    'currency',
    'customer_name',
    'customer_email',
    'app_url',
  ],
  collection: 'orders',
  idField: 'uuid',
  example: exampleRef.order,
  reference: {
    list: 'orders.list',
    get: 'orders.get',
    value: 'uuid',
    names: ['internal_number'],
    apart: ['customer_name'],
    known: ['external_id'],
  },
  scope: 'orders:read',
  permission: 'orders.view',
  toolSet: 'shop',
  operations: orderOperations,
  consoleOperations: orderConsoleOperations,
  events,
  calm: {
    cod_fee: null,
    invoice_uuid: null,
    confirmed_at: null,
    paid_at: null,
    shipped_at: null,
    delivered_at: null,
    cancelled_at: null,
  },
} as const satisfies RecordDeclaration;
