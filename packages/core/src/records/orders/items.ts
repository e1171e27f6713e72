import { type FieldProblem, largestAmount, type Order } from '@dealkeep/contract';
import { canBeNamed, type Looking } from '../../change/verb/sight.ts';
import type { Changing, InputOf, Sent } from '../../change/verb/verb.ts';
import type { Fragment } from '../../foundations/database/connect.ts';
import { type AroundItems, type OrderTotals, sumOrder } from '../../foundations/numbers/totals.ts';

type Body = InputOf<'orders.create'>['body'];
type Item = Body['items'][number];
/** What says which product an item is, and what it costs. */
type Asked = { [Name in 'product_uuid' | 'sku' | 'unit_price']?: Item[Name] | undefined };

/** An item whose product is found and whose defaults are filled in. */
export interface ChosenItem {
  name: string;
  sku: string;
  product_id: string | null;
  quantity: number;
  unit_price: number;
  vat_rate: number;
  discount_pct: number | null;
  notes: string | null;
}

export interface ProductRow {
  id: string;
  sku: string;
  name: string;
  price: number | null;
  discounted_price: number | null;
  vat_rate: number;
}

/** What stands at a place in a body. */
export interface Placed<Value> {
  readonly index: number;
  readonly value: Value;
}

type ItemsSent = Pick<Sent<'orders.create'>, 'body' | 'isRefused'>;
type SentItem = NonNullable<NonNullable<ItemsSent['body']['items']>[number]>;

const isUnclear = ({ isRefused }: ItemsSent, index: number, names: readonly (keyof Item)[]): boolean =>
  names.some((name) => isRefused(`items[${index}].${name}`));

/** The items whose products can be looked up. */
export const clearItems = (sent: ItemsSent): Placed<SentItem>[] =>
  [...(sent.body.items ?? []).entries()].flatMap(([index, value]) =>
    value && !isUnclear(sent, index, ['product_uuid', 'sku', 'unit_price']) ? [{ index, value }] : [],
  );

/**
 * What clear items mean, among the products that `productsOf` found: one by its uuid, else by its SKU; name, price
 * and VAT default from it. An unknown SKU needs a price and is its own name. Answers those of which everything is
 * known.
 */
export function chooseItems(
  products: readonly ProductRow[],
  clear: readonly Placed<SentItem>[],
  sent: ItemsSent,
): { items: Placed<ChosenItem>[]; problems: FieldProblem[] } {
  const byId = new Map(products.map((product) => [product.id, product]));
  const bySku = new Map(products.map((product) => [product.sku, product]));
  const items: Placed<ChosenItem>[] = [];
  const problems: FieldProblem[] = [];
  for (const { index, value: item } of clear) {
    const product = item.product_uuid ? byId.get(item.product_uuid) : bySku.get(item.sku ?? '');
    const problem = itemProblem(item, product);
    if (problem) problems.push({ path: `items[${index}].${problem.path}`, key: problem.key });
    // A product can be looked up, too, where only the quantity is refused.
    if (problem || item.quantity === undefined || isUnclear(sent, index, ['vat_rate', 'discount_pct']))
      continue;
    const sku = item.sku || product?.sku || '';
    const value = {
      name: product?.name ?? sku,
      sku,
      product_id: product?.id ?? null,
      quantity: item.quantity,
      unit_price: item.unit_price ?? priceOf(product) ?? 0,
      vat_rate: item.vat_rate ?? product?.vat_rate ?? 0,
      discount_pct: item.discount_pct ?? null,
      notes: item.notes ?? null,
    };
    items.push({ index, value });
  }
  return { items, problems };
}

const priceOf = (product: ProductRow | undefined) => product?.discounted_price ?? product?.price;

function itemProblem(item: Asked, product: ProductRow | undefined): FieldProblem | undefined {
  if (item.product_uuid && !product) return { path: 'product_uuid', key: 'field.not_found' };
  // An empty SKU names no product.
  if (!item.product_uuid && !item.sku) return { path: 'product_uuid', key: 'field.needs_product' };
  if ((item.unit_price ?? null) !== null) return undefined;
  if (!product) return { path: 'unit_price', key: 'field.needs_price' };
  if ((priceOf(product) ?? null) === null) return { path: 'unit_price', key: 'field.product_without_price' };
  return undefined;
}

/** An expression of the products that items name, as an array of `ProductRow`. */
export function productsOf(looking: Looking, items: readonly Asked[]): Fragment {
  const { sql, organization } = looking;
  const ids = items.flatMap(({ product_uuid }) => product_uuid ?? []);
  const skus = items.flatMap(({ product_uuid, sku }) => (!product_uuid && sku ? [sku] : []));
  return sql`
    coalesce((select json_agg(product) from (
      select id, sku, name, price, discounted_price, vat_rate from products
      where organization_id = ${organization} and (id = any(${ids}::uuid[]) or sku = any(${skus}::text[]))
        and ${canBeNamed(looking, 'product', 'products')}
    ) product), '[]')`;
}

/**
 * The amounts of the items of which everything is known, as `sumOrder` counts them, and which of them are beyond
 * what an amount may be: each by itself, and the others all together.
 */
export function priceItems(
  items: readonly Placed<ChosenItem>[],
  around: AroundItems,
): { totals: OrderTotals; problems: FieldProblem[] } {
  const totals = sumOrder(
    items.map(({ value }) => value),
    around,
  );
  if (items.length === 0) return { totals, problems: [] };
  const problems = totalProblems(totals, items);
  const tooBig = new Set(problems.map(({ path }) => path));
  const others = items.filter(({ index }) => !tooBig.has(`items[${index}]`));
  return {
    totals,
    problems:
      others.length === items.length ? problems : [...problems, ...priceItems(others, around).problems],
  };
}

/** Sums must not exceed the largest amount either (rule bodies 23). */
function totalProblems(
  { line_totals, subtotal, vat_total, grand_total }: OrderTotals,
  items: readonly Placed<ChosenItem>[],
): FieldProblem[] {
  const values = { max: largestAmount };
  const lines = items.flatMap(({ index }, position): FieldProblem[] =>
    (line_totals[position] ?? 0) > largestAmount
      ? [{ path: `items[${index}]`, key: 'field.total_too_big', values }]
      : [],
  );
  if (lines.length > 0) return lines;
  const largest = Math.max(subtotal, vat_total, Math.abs(grand_total));
  return largest > largestAmount ? [{ path: 'items', key: 'field.total_too_big', values }] : [];
}

/** What an order does to the stock of its products: nothing, reserve it, or take it away. */
type Hold = 'none' | 'reserved' | 'taken';

/** An order reserves stock until it is shipped or delivered; then it has taken it. */
export function stockHold(status: Order['status']): Hold {
  if (status === 'cancelled' || status === 'returned') return 'none';
  return status === 'shipped' || status === 'delivered' ? 'taken' : 'reserved';
}

/**
 * The parts of a statement that bring the stock of an order's products from one hold to another; none where it
 * stays. Stock may fall below zero: overselling is allowed.
 */
export function stockMove(
  { sql, organization }: Changing,
  orderId: string,
  before: Hold,
  after: Hold,
): Fragment[] {
  if (before === after) return [];
  const reserved = Number(after === 'reserved') - Number(before === 'reserved');
  const onHand = Number(before === 'taken') - Number(after === 'taken');
  // Products are locked in one order by everybody, so that two orders of the same ones cannot deadlock.
  const moved = sql`
    moved as materialized (
      select product_id, sum(quantity) as quantity from order_items
      where organization_id = ${organization} and order_id = ${orderId} and product_id is not null
      group by product_id)`;
  // A query within one: Citus 13 mistakes what a part itself locks for text (`PGCOPY`).
  const locked = sql`
    locked as materialized (
      select id from (
        select id from products
        where organization_id = ${organization} and id in (select product_id from moved)
        order by id for no key update) in_order)`;
  const stock = sql`
    stock as (
      update products p
      set stock_reserved = p.stock_reserved + ${reserved}::integer * moved.quantity,
          stock_on_hand = p.stock_on_hand + ${onHand}::integer * moved.quantity
      from locked join moved on moved.product_id = locked.id
      where p.organization_id = ${organization} and p.id = locked.id)`;
  return [moved, locked, stock];
}
