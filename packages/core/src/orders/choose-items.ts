import type { FieldProblem } from '@dealkeep/contract';
import type { Refused } from '../verb/further-problems.ts';
import type { InputOf, Scope } from '../verb/verb.ts';

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

interface ProductRow {
  id: string;
  sku: string;
  name: string;
  price: number | null;
  discounted_price: number | null;
  vat_rate: number;
}

/**
 * Finds what items mean: a product by its uuid, else by its SKU; name, price and VAT default from it. An unknown SKU
 * needs a price and is its own name.
 */
export async function chooseItems(
  scope: Scope,
  items: readonly Item[],
  placeOf: (position: number) => number = (position) => position,
): Promise<{ items: ChosenItem[]; problems: FieldProblem[] }> {
  const productOf = await findProducts(scope, items);
  const chosen: ChosenItem[] = [];
  const problems: FieldProblem[] = [];
  for (const [index, item] of items.entries()) {
    const product = productOf(item);
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
export interface Placed<Value> {
  readonly index: number;
  readonly value: Value;
}

/** The same of items of which some are refused for something else: what is wrong with the others, and what is known. */
export async function choosePlacedItems(
  scope: Scope,
  { part, isRefused }: Refused<Body>,
): Promise<{ items: Placed<ChosenItem>[]; problems: FieldProblem[] }> {
  const isUnclear = (index: number, names: readonly (keyof Item)[]): boolean =>
    names.some((name) => isRefused(`items[${index}].${name}`));
  const asked = [...(part.items ?? []).entries()].flatMap(([index, item]) =>
    item && !isUnclear(index, ['product_uuid', 'sku', 'unit_price']) ? [{ index, item }] : [],
  );
  // Where only the quantity is refused, what is asked for can still be looked up.
  const { items, problems } = await chooseItems(
    scope,
    asked.map(({ item }) => ({ ...item, quantity: item.quantity ?? 0 })),
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

async function findProducts(
  { sql, organization }: Scope,
  items: readonly Asked[],
): Promise<(item: Asked) => ProductRow | undefined> {
  const ids = items.flatMap(({ product_uuid }) => product_uuid ?? []);
  const skus = items.flatMap(({ product_uuid, sku }) => (!product_uuid && sku ? [sku] : []));
  const products = await sql<ProductRow[]>`
    select id, sku, name, price, discounted_price, vat_rate from products
    where organization_id = ${organization} and (id = any(${ids}::uuid[]) or sku = any(${skus}::text[]))`;
  const byId = new Map(products.map((product) => [product.id, product]));
  const bySku = new Map(products.map((product) => [product.sku, product]));
  return ({ product_uuid, sku }) => (product_uuid ? byId.get(product_uuid) : bySku.get(sku ?? ''));
}
