import { type FieldProblem, largestAmount, type Order } from '@dealkeep/contract';
import type { Refused } from '../../change/verb/check-input.ts';
import { canBeNamed, type Looking } from '../../change/verb/sight.ts';
import type { Changing, InputOf } from '../../change/verb/verb.ts';
import type { Fragment } from '../../foundations/database/connect.ts';
import { type AroundItems, type OrderTotals, sumOrder } from '../../foundations/numbers/totals.ts';
import { invalidFields } from '../../foundations/problem.ts';

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

/**
 * What items mean, among the products that `productsOf` found: one by its uuid, else by its SKU; name, price and VAT
 * default from it. An unknown SKU needs a price and is its own name.
 */
export function chooseItems(
  products: readonly ProductRow[],
  items: readonly Item[],
  placeOf: (position: number) => number = (position) => position,
): { items: ChosenItem[]; problems: FieldProblem[] } {
  const byId = new Map(products.map((product) => [product.id, product]));
  const bySku = new Map(products.map((product) => [product.sku, product]));
  const chosen: ChosenItem[] = [];
  const problems: FieldProblem[] = [];
  for (const [index, item] of items.entries()) {
    const product = item.product_uuid ? byId.get(item.product_uuid) : bySku.get(item.sku ?? '');
    const problem = itemProblem(item, product);
    if (problem) problems.push({ path: `items[${placeOf(index)}].${problem.path}`, key: problem.key });
    const sku = item.sku || product?.sku || '';
    chosen.push({
      name: product?.name ?? sku,
      sku,
      product_id: product?.id ?? null,
      quantity: item.quantity,
      unit_price: item.unit_price ?? priceOf(product) ?? 0,
      vat_rate: item.vat_rate ?? product?.vat_rate ?? 0,
      discount_pct: item.discount_pct ?? null,
      notes: item.notes ?? null,
    });
  }
  return { items: chosen, problems };
}

/** What stands at a place in a body. */
interface Placed<Value> {
  readonly index: number;
  readonly value: Value;
}

/**
 * What `chooseItems` does, where some items are refused for something else: what is wrong with the others, and what
 * is known of them.
 */
export async function choosePlacedItems(
  scope: Looking,
  { part, isRefused }: Refused<Body>,
): Promise<{ items: Placed<ChosenItem>[]; problems: FieldProblem[] }> {
  const isUnclear = (index: number, names: readonly (keyof Item)[]): boolean =>
    names.some((name) => isRefused(`items[${index}].${name}`));
  const asked = [...(part.items ?? []).entries()].flatMap(([index, item]) =>
    item && !isUnclear(index, ['product_uuid', 'sku', 'unit_price']) ? [{ index, item }] : [],
  );
  // The product can still be looked up where only the quantity is refused.
  const wanted = asked.map(({ item }) => ({ ...item, quantity: item.quantity ?? 0 }));
  const [found] = await scope.sql<
    { products: ProductRow[] }[]
  >`select ${productsOf(scope, wanted)} as products`;
  const { items, problems } = chooseItems(
    found?.products ?? [],
    wanted,
    (position) => asked[position]?.index ?? position,
  );
  const placed = items.map((value, position) => ({ index: asked[position]?.index ?? position, value }));
  return {
    problems,
    items: placed.filter(({ index }) => {
      const isPriceless = problems.some(({ path }) => path.startsWith(`items[${index}].`));
      return !isPriceless && !isUnclear(index, ['quantity', 'vat_rate', 'discount_pct']);
    }),
  };
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
 * The amounts of an order, as `sumOrder` counts them. Raises VALIDATION_ERROR for amounts beyond what an amount may
 * be.
 */
export function priceOrder(items: readonly ChosenItem[], around: AroundItems): OrderTotals {
  const totals = sumOrder(items, around);
  const problems = totalProblems(totals);
  if (problems.length > 0) throw invalidFields(problems);
  return totals;
}

/**
 * The failing fields of `priceOrder` for an order that is refused for something else: the lines whose amounts are
 * known are still judged, each and all together.
 */
export function furtherTotals(items: readonly Placed<ChosenItem>[], around: AroundItems): FieldProblem[] {
  if (items.length === 0) return [];
  const values = items.map(({ value }) => value);
  const problems = totalProblems(sumOrder(values, around), (at) => items[at]?.index ?? at);
  const tooBig = new Set(problems.map(({ path }) => path));
  const others = items.filter(({ index }) => !tooBig.has(`items[${index}]`));
  if (others.length === items.length) return problems;
  return [...problems, ...furtherTotals(others, around)];
}

/** A discount larger than everything else of an order, all of whose lines are known. */
export const discountProblems = (
  items: readonly Placed<ChosenItem>[],
  around: AroundItems,
): FieldProblem[] =>
  sumOrder(
    items.map(({ value }) => value),
    around,
  ).grand_total < 0
    ? [{ path: 'discount_total', key: 'field.discount_too_large' }]
    : [];

/** Sums must not exceed the largest amount either (rule bodies 23). */
function totalProblems(
  { line_totals, subtotal, vat_total, grand_total }: OrderTotals,
  placeOf: (position: number) => number = (position) => position,
): FieldProblem[] {
  const values = { max: largestAmount };
  const lines = line_totals.flatMap((total, index): FieldProblem[] =>
    total > largestAmount ? [{ path: `items[${placeOf(index)}]`, key: 'field.total_too_big', values }] : [],
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
