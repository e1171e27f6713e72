import { type FieldProblem, largestAmount, type OrderItem } from '@dealkeep/contract';
import { isChanging, NothingWritten, type Reading, type Sent, writes } from '../../change/verb/verb.ts';
import type { Fragment, Statements } from '../../foundations/database/connect.ts';
import { newId } from '../../foundations/database/new-id.ts';
import { invalidFields, Problem } from '../../foundations/problem.ts';
import { nextNumber } from '../invoices/document.ts';
import {
  type ChosenItem,
  chooseItems,
  clearItems,
  type Placed,
  type ProductRow,
  priceItems,
  productsOf,
  stockHold,
  stockMove,
} from './items.ts';
import { orders } from './record.ts';

const usualSource = 'api';

export const createOrder = writes('orders.create', {
  async check(context, sent) {
    const { body, isRefused } = sent;
    const { currency: usualCurrency, timeZone } = await context.referenceData();
    const currency = body.currency ?? usualCurrency;
    const year = yearOf(context.now, timeZone);
    const { digits, items, problems: ofParts } = await findParts(context, sent, year);
    const { totals, problems: ofTotals } = priceItems(items, {
      // A discount that was refused counts as the largest amount, so that no total is refused because of it.
      discountTotal: isRefused('discount_total') ? largestAmount : (body.discount_total ?? 0),
      shippingCost: body.shipping_cost ?? 0,
      currency,
    });
    const isPriced =
      ofTotals.length === 0 &&
      items.length === body.items?.length &&
      !['discount_total', 'shipping_cost', 'currency'].some(isRefused);
    const problems: FieldProblem[] = [...ofParts, ...ofTotals];
    if (isPriced && totals.grand_total < 0) {
      problems.push({ path: 'discount_total', key: 'field.discount_too_large' });
    }
    // The table refuses it itself when it is written.
    if (!isChanging(context)) problems.push(...(await externalIdConflicts(context, sent)));
    if (problems.length > 0) throw invalidFields(problems);
    return { currency, number: `O-${year}-${digits}`, chosen: items, totals };
  },

  async run(context, { body }, { currency, number, chosen, totals: { line_totals, ...totals } }) {
    const { sql, organization, now } = context;
    const { customer } = body;
    const items = chosen.map(({ value }, position) => ({
      id: newId(),
      ...value,
      line_total: line_totals[position] ?? 0,
    }));

    const id = newId();
    const status = body.auto_confirm ? 'confirmed' : 'new';
    const source = body.external_source ?? usualSource;
    const order = {
      ...orders.valuesOf(body),
      id,
      internal_number: number,
      external_source: source,
      status,
      payment_status: 'unpaid',
      currency,
      ...totals,
      customer_name: customer.name,
      customer_email: customer.email,
      customer_phone: customer.phone,
      billing_address: customer.billing_address,
      delivery_address:
        typeof customer.delivery_address === 'string' ? deliveryAddress(customer.delivery_address) : null,
      client_id: customer.client_uuid,
      company_id: customer.company_uuid,
      created_at: now,
      updated_at: now,
      confirmed_at: body.auto_confirm ? now : null,
    } as const;
    // It stands before the table of its name: the stock moves by the items that go in with the order.
    const insertedItems = sql`
    order_items as (
      insert into order_items (organization_id, id, order_id, position, name, sku, product_id, quantity, unit_price,
                               vat_rate, discount_pct, line_total, notes)
      select ${organization}, item.id, written.id, position, name, sku, product_id, quantity, unit_price, vat_rate,
             discount_pct, line_total, item.notes
      from written, ${itemRows(sql, items)}
      returning *)`;
    const row = await orders.insertWhole(context, order, {
      joined: { items: items.map(itemRecord) },
      // Of two at once with one external id, the second waits to be told so.
      unless: sql`
      on conflict (organization_id, external_source, external_id) where external_id <> '' do nothing`,
      parts: [insertedItems, ...stockMove(context, id, 'none', stockHold(status))],
      refused: (failure) =>
        failure instanceof NothingWritten
          ? new Problem('order.external_id', { source }, { about: 'external_id' })
          : undefined,
    });
    const created = await orders.recordOf(context, row);
    context.emit('order.created', created);
    // The step is taken at once; before it, the order was new.
    const before = { ...created, status: 'new', confirmed_at: null };
    if (body.auto_confirm) context.emit('order.confirmed', created, before);
    return created;
  },
});

async function externalIdConflicts(
  { sql, organization }: Reading,
  { body: { external_id, external_source }, isRefused }: Sent<'orders.create'>,
): Promise<FieldProblem[]> {
  if (!external_id || isRefused('external_source')) return [];
  const source = external_source ?? usualSource;
  const [taken] = await sql`
    select 1 from orders
    where organization_id = ${organization} and external_source = ${source} and external_id = ${external_id}
      and external_id <> ''`;
  return taken ? [{ path: 'external_id', key: 'order.external_id', values: { source } }] : [];
}

interface OrderParts {
  /** Of its number. */
  readonly digits: string;
  readonly items: Placed<ChosenItem>[];
  readonly problems: FieldProblem[];
}

interface FoundParts {
  readonly digits: string;
  readonly client: boolean;
  readonly company: boolean;
  readonly products: ProductRow[];
}

/** Looks up in one statement whom an order is of and what its items mean, and takes the next number of the year. */
async function findParts(context: Reading, sent: Sent<'orders.create'>, year: string): Promise<OrderParts> {
  const { sql, organization } = context;
  const { client_uuid, company_uuid } = sent.body.customer ?? {};
  const clear = clearItems(sent);
  const [found] = await sql<FoundParts[]>`
    with ${nextNumber(context, 'order', sql`${Number(year)}`)}
    select number.digits,
           exists (select 1 from clients where organization_id = ${organization}
                   and id = ${client_uuid ?? null}) as client,
           exists (select 1 from companies where organization_id = ${organization}
                   and id = ${company_uuid ?? null}) as company,
           ${productsOf(
             context,
             clear.map(({ value }) => value),
           )} as products
    from number`;
  if (!found) throw new Error('Unreachable: there is always a next number');
  const problems: FieldProblem[] = [];
  if (client_uuid && !found.client) problems.push({ path: 'customer.client_uuid', key: 'field.not_found' });
  if (company_uuid && !found.company)
    problems.push({ path: 'customer.company_uuid', key: 'field.not_found' });
  const { items, problems: ofItems } = chooseItems(found.products, clear, sent);
  return { digits: found.digits, items, problems: [...problems, ...ofItems] };
}

/** An item as it is stored. */
interface PricedItem extends ChosenItem {
  readonly id: string;
  readonly line_total: number;
}

/**
 * Items as rows of a statement; one parameter for any number, since 65,535 would be too few for a long order's
 * values.
 */
const itemRows = (sql: Statements, items: readonly PricedItem[]): Fragment => sql`
  jsonb_to_recordset(${sql.json(items.map((item, position) => ({ position, ...item })))}) as item (
    id uuid, position integer, name text, sku text, product_id uuid, quantity numeric, unit_price numeric,
    vat_rate numeric, discount_pct numeric, line_total numeric, notes text)`;

/** An item as the order shows it. */
const itemRecord = ({ id, product_id, ...item }: PricedItem): OrderItem => ({
  uuid: id,
  name: item.name,
  sku: item.sku,
  product_uuid: product_id,
  quantity: item.quantity,
  unit_price: item.unit_price,
  vat_rate: item.vat_rate,
  discount_pct: item.discount_pct,
  line_total: item.line_total,
  notes: item.notes,
});

/** The year of a moment in a time zone: orders are numbered anew in each. */
const yearOf = (now: string, timeZone: string): string =>
  new Intl.DateTimeFormat('en', { timeZone, year: 'numeric' }).format(new Date(now));

const keys = ['street', 'city', 'postal_code', 'country'] as const;
type Address = Record<(typeof keys)[number], string | null>;

/**
 * A delivery address as the API always shows it: a JSON text of four keys. A JSON object that holds any of them is
 * kept without its other keys; any other text becomes the street (rule orders 5).
 */
function deliveryAddress(text: string): string {
  const given = jsonObject(text);
  const address: Address = { street: null, city: null, postal_code: null, country: null };
  if (given && keys.some((key) => Object.hasOwn(given, key))) {
    for (const key of keys) address[key] = asText(Object.hasOwn(given, key) ? given[key] : null);
  } else {
    address.street = text;
  }
  return JSON.stringify(address);
}

function jsonObject(text: string): Record<string, unknown> | undefined {
  try {
    const value: unknown = JSON.parse(text);
    return typeof value === 'object' && value !== null && !Array.isArray(value) ? { ...value } : undefined;
  } catch (error) {
    if (error instanceof SyntaxError) return undefined;
    throw error;
  }
}

/** A postal code is often written as a number. */
function asText(value: unknown): string | null {
  if (typeof value === 'string') return value;
  return typeof value === 'number' ? String(value) : null;
}
