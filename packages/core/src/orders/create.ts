import { randomUUIDv7 } from 'node:crypto';
import { type FieldProblem, largestAmount } from '@dealkeep/contract';
import { nextNumber } from '../invoices/document.ts';
import { invalidFields, Problem } from '../problem.ts';
import type { Refused } from '../verb/check-input.ts';
import {
  type Changing,
  type InputOf,
  type Reading,
  type ResultOf,
  type Scope,
  type Writing,
  writes,
} from '../verb/verb.ts';
import {
  type ChosenItem,
  chooseItems,
  choosePlacedItems,
  furtherTotals,
  moveStock,
  priceOrder,
  stockHold,
} from './items.ts';
import { type OrderColumns, readOrder } from './record.ts';

type Body = InputOf<'orders.create'>['body'];

const usualSource = 'api';

const create = async (
  context: Writing,
  { body }: InputOf<'orders.create'>,
): Promise<ResultOf<'orders.create'>> => {
  const { now } = context;
  const { customer } = body;
  const [{ currency, timeZone }, customerProblems, chosen] = await Promise.all([
    context.directory(),
    unknownCustomer(context, customer),
    chooseItems(context, body.items),
  ]);
  const problems = [...customerProblems, ...chosen.problems];
  if (problems.length > 0) throw invalidFields(problems);
  const { line_totals, ...totals } = await priceOrder(context, chosen.items, {
    discountTotal: body.discount_total ?? 0,
    shippingCost: body.shipping_cost ?? 0,
  });

  const id = randomUUIDv7();
  const status = body.auto_confirm ? 'confirmed' : 'new';
  await insertOrder(context, {
    id,
    internal_number: await nextOrderNumber(context, timeZone),
    external_id: body.external_id ?? null,
    external_source: body.external_source ?? usualSource,
    status,
    payment_status: 'unpaid',
    currency: body.currency ?? currency,
    ...totals,
    payment_method: body.payment_method ?? null,
    shipping_method: body.shipping_method ?? null,
    customer_name: customer.name ?? null,
    customer_email: customer.email ?? null,
    customer_phone: customer.phone ?? null,
    billing_address: customer.billing_address ?? null,
    delivery_address:
      typeof customer.delivery_address === 'string' ? deliveryAddress(customer.delivery_address) : null,
    notes: body.notes ?? null,
    client_id: customer.client_uuid ?? null,
    company_id: customer.company_uuid ?? null,
    created_at: now,
    updated_at: now,
    confirmed_at: body.auto_confirm ? now : null,
  });
  await insertItems(context, id, chosen.items, line_totals);
  await moveStock(context, id, 'none', stockHold(status));
  const created = await readOrder(context, id);
  context.emit('order.created', created);
  if (body.auto_confirm) context.emit('order.confirmed', created);
  return created;
};

export const createOrder = writes('orders.create', create, { further });

async function further(context: Reading, refused: Refused<Body>): Promise<FieldProblem[]> {
  const { part, isRefused } = refused;
  const [{ items, problems }, conflicts] = await Promise.all([
    choosePlacedItems(context, refused),
    externalIdConflicts(context, refused),
  ]);
  const around = {
    // A discount that was refused counts as the largest amount, so that no total is refused because of it.
    discountTotal: isRefused('discount_total') ? largestAmount : (part.discount_total ?? 0),
    shippingCost: part.shipping_cost ?? 0,
  };
  return [...problems, ...(await furtherTotals(context, items, around)), ...conflicts];
}

async function externalIdConflicts(
  { sql, organization }: Reading,
  { part: { external_id, external_source }, isRefused }: Refused<Body>,
): Promise<FieldProblem[]> {
  if (!external_id || isRefused('external_source')) return [];
  const source = external_source ?? usualSource;
  const [taken] = await sql`
    select from orders
    where organization_id = ${organization} and external_source = ${source} and external_id = ${external_id}
      and external_id <> ''`;
  return taken ? [{ path: 'external_id', key: 'order.external_id', values: { source } }] : [];
}

/** The client and company that the customer's ids name must exist; answers the failing fields. */
async function unknownCustomer(
  { sql, organization }: Scope,
  { client_uuid, company_uuid }: Body['customer'],
): Promise<FieldProblem[]> {
  const [row] = await sql<{ client: boolean; company: boolean }[]>`
    select exists (select from clients where organization_id = ${organization}
                   and id = ${client_uuid ?? null}) as client,
           exists (select from companies where organization_id = ${organization}
                   and id = ${company_uuid ?? null}) as company`;
  const problems: FieldProblem[] = [];
  if (client_uuid && !row?.client) problems.push({ path: 'customer.client_uuid', key: 'field.not_found' });
  if (company_uuid && !row?.company) problems.push({ path: 'customer.company_uuid', key: 'field.not_found' });
  return problems;
}

/** Raises CONFLICT when the source has this external id already; of two at once, the second waits to be told so. */
async function insertOrder({ sql, organization }: Writing, order: Partial<OrderColumns>): Promise<void> {
  const inserted = await sql`
    insert into orders ${sql({ organization_id: organization, ...order })}
    on conflict (organization_id, external_source, external_id) where external_id <> '' do nothing
    returning 1`;
  if (inserted.length === 0) {
    const values = { source: order.external_source ?? '' };
    throw new Problem('order.external_id', values, { about: 'external_id' });
  }
}

async function insertItems(
  { sql, organization }: Writing,
  orderId: string,
  items: readonly ChosenItem[],
  lineTotals: readonly number[],
): Promise<void> {
  const rows = items.map((item, position) => ({
    id: randomUUIDv7(),
    position,
    ...item,
    line_total: lineTotals[position] ?? 0,
  }));
  // The items as one JSON parameter: with a parameter for each value, a long order would exceed the 65,535 that
  // PostgreSQL takes.
  await sql`
    insert into order_items (organization_id, id, order_id, position, name, sku, product_id, quantity, unit_price,
                             vat_rate, discount_pct, line_total, notes)
    select ${organization}, id, ${orderId}, position, name, sku, product_id, quantity, unit_price, vat_rate,
           discount_pct, line_total, notes
    from jsonb_to_recordset(${sql.json(rows)}) as item (
      id uuid, position integer, name text, sku text, product_id uuid, quantity numeric, unit_price numeric,
      vat_rate numeric, discount_pct numeric, line_total numeric, notes text)`;
}

/** `O-2026-0042`: counted without gaps for each organization and its own year. Ask late, because others wait. */
async function nextOrderNumber(context: Changing, timeZone: string): Promise<string> {
  const year = new Intl.DateTimeFormat('en', { timeZone, year: 'numeric' }).format(new Date(context.now));
  const [number] = await context.sql<{ digits: string }[]>`
    with ${nextNumber(context, 'order', year)} select digits from number`;
  if (!number) throw new Error('Unreachable: there is always a next number');
  return `O-${year}-${number.digits}`;
}

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
