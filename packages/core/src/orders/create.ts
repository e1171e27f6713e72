import { randomUUIDv7 } from 'node:crypto';
import { type FieldProblem, largestAmount } from '@dealkeep/contract';
import type { Fragment } from '../database/connect.ts';
import { nextNumber } from '../invoices/document.ts';
import { invalidFields, Problem } from '../problem.ts';
import type { Refused } from '../verb/check-input.ts';
import { type InputOf, type Reading, type ResultOf, type Scope, type Writing, writes } from '../verb/verb.ts';
import {
  type ChosenItem,
  chooseItems,
  choosePlacedItems,
  furtherTotals,
  moveStock,
  type ProductRow,
  priceOrder,
  productsOf,
  stockHold,
} from './items.ts';
import { orders } from './record.ts';

type Body = InputOf<'orders.create'>['body'];

const usualSource = 'api';

const create = async (
  context: Writing,
  { body }: InputOf<'orders.create'>,
): Promise<ResultOf<'orders.create'>> => {
  const { sql, organization, now } = context;
  const { customer } = body;
  const { currency, timeZone } = await context.directory();
  const chosen = await findParts(context, body);
  if (chosen.problems.length > 0) throw invalidFields(chosen.problems);
  const { line_totals, ...totals } = await priceOrder(context, chosen.items, {
    discountTotal: body.discount_total ?? 0,
    shippingCost: body.shipping_cost ?? 0,
  });

  const id = randomUUIDv7();
  const status = body.auto_confirm ? 'confirmed' : 'new';
  const source = body.external_source ?? usualSource;
  const year = yearOf(now, timeZone);
  const inserted = orders.inserting(context, {
    ...orders.valuesOf(body),
    id,
    internal_number: sql`${`O-${year}-`}::text || number.digits`,
    external_source: source,
    status,
    payment_status: 'unpaid',
    currency: body.currency ?? currency,
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
  });
  // Of two at once with one external id, the second waits to be told so. The part `order_items` stands before the table
  // of its name: the record is made of the items that go in with it.
  const [row] = await orders.written(
    sql,
    sql`
    ${nextNumber(context, 'order', year)},
    written as (
      ${inserted} from number
      on conflict (organization_id, external_source, external_id) where external_id <> '' do nothing
      returning *),
    order_items as (
      insert into order_items (organization_id, id, order_id, position, name, sku, product_id, quantity, unit_price,
                               vat_rate, discount_pct, line_total, notes)
      select ${organization}, item.id, written.id, position, name, sku, product_id, quantity, unit_price, vat_rate,
             discount_pct, line_total, item.notes
      from written, ${itemRows(context, chosen.items, line_totals)}
      returning *)`,
  );
  if (!row) throw new Problem('order.external_id', { source }, { about: 'external_id' });
  await moveStock(context, id, 'none', stockHold(status));
  const created = await orders.recordOf(context, row);
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

/** Looks up in one statement whom an order is of and what its items mean; answers the failing fields. */
async function findParts(
  context: Scope,
  { customer: { client_uuid, company_uuid }, items }: Body,
): Promise<ReturnType<typeof chooseItems>> {
  const { sql, organization } = context;
  const [found] = await sql<{ client: boolean; company: boolean; products: ProductRow[] }[]>`
    select exists (select from clients where organization_id = ${organization}
                   and id = ${client_uuid ?? null}) as client,
           exists (select from companies where organization_id = ${organization}
                   and id = ${company_uuid ?? null}) as company,
           ${productsOf(context, items)} as products`;
  if (!found) throw new Error('Unreachable: the statement answers one row');
  const problems: FieldProblem[] = [];
  if (client_uuid && !found.client) problems.push({ path: 'customer.client_uuid', key: 'field.not_found' });
  if (company_uuid && !found.company)
    problems.push({ path: 'customer.company_uuid', key: 'field.not_found' });
  const chosen = chooseItems(found.products, items);
  return { items: chosen.items, problems: [...problems, ...chosen.problems] };
}

/** Items as rows of a statement; one parameter for any number, since 65,535 would be too few for a long order's values. */
function itemRows(
  { sql }: Pick<Scope, 'sql'>,
  items: readonly ChosenItem[],
  lineTotals: readonly number[],
): Fragment {
  const rows = items.map((item, position) => ({
    id: randomUUIDv7(),
    position,
    ...item,
    line_total: lineTotals[position] ?? 0,
  }));
  return sql`
    jsonb_to_recordset(${sql.json(rows)}) as item (
      id uuid, position integer, name text, sku text, product_id uuid, quantity numeric, unit_price numeric,
      vat_rate numeric, discount_pct numeric, line_total numeric, notes text)`;
}

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
