import type { Product, ProductItem } from '@dealkeep/contract';
import type { Core } from '../core.ts';
import type { Fragment, Statements } from '../database/connect.ts';
import { textBytes } from '../paging/cursor.ts';
import { containsPattern, listPage } from '../paging/list-page.ts';
import { notFound } from '../problem.ts';
import { reads, type Scope } from '../verb/verb.ts';

export interface ProductRow {
  id: string;
  sku: string;
  ean: string;
  name: string;
  description: string | null;
  price: number | null;
  discounted_price: number | null;
  vat_rate: number;
  active: boolean;
  category_id: string | null;
  stock_on_hand: number;
  stock_available: number;
  images: Product['images'];
  attachments: Product['attachments'];
  updated_at: string;
  sort_value: string | null;
}

type Include = 'stock' | undefined;

/** Rows of products (alias `p`). */
export const productRows = (sql: Statements, rest: Fragment, sortValue: Fragment = sql`null`) =>
  sql<ProductRow[]>`
    select p.id, p.sku, p.ean, p.name, p.description, p.price, p.discounted_price, p.vat_rate, p.active,
           p.category_id, p.stock_on_hand, p.stock_on_hand - p.stock_reserved as stock_available, p.images,
           p.attachments, p.updated_at, ${sortValue} as sort_value
    from products p where ${rest}`;

const listed = (row: ProductRow, include: Include) => ({
  uuid: row.id,
  sku: row.sku,
  ean: row.ean,
  name: row.name,
  description: row.description,
  price: row.price,
  discounted_price: row.discounted_price,
  active: row.active,
  category_uuid: row.category_id,
  updated_at: row.updated_at,
  ...(include === 'stock'
    ? { stock_on_hand: row.stock_on_hand, stock_available: row.stock_available }
    : undefined),
});
const appUrl = (row: ProductRow, core: Core): string => `${core.origin}/products/${row.id}`;

/** A product as lists show it. */
const productItem = (row: ProductRow, core: Core, include: Include): ProductItem => ({
  ...listed(row, include),
  app_url: appUrl(row, core),
});

/** A product as GET shows it; without `include` as events do. jsonb forgets the order of keys, so it is written anew. */
export const productRecord = (row: ProductRow, core: Core, include?: Include): Product => ({
  ...listed(row, include),
  images: row.images.map(({ url, title, alt_text, is_primary }) => ({ url, title, alt_text, is_primary })),
  attachments: row.attachments.map(({ url, title, kind, locale, mime, size_bytes }) => ({
    url,
    title,
    kind,
    locale,
    mime,
    size_bytes,
  })),
  app_url: appUrl(row, core),
});

/** A product as GET answers it. Raises NOT_FOUND. */
export async function readProduct(
  { core, sql, organization }: Scope,
  id: string,
  include?: Include,
): Promise<Product> {
  const [row] = await productRows(sql, sql`p.organization_id = ${organization} and p.id = ${id}`);
  if (!row) throw notFound();
  return productRecord(row, core, include);
}

export const getProduct = reads('products.get', (context, { path, query }) =>
  readProduct(context, path.uuid, query.include),
);

export const listProducts = reads('products.list', (context, { query }) => {
  const { core, sql } = context;
  return listPage(context, query, {
    id: 'products.list',
    alias: 'p',
    weight: sql`${textBytes(sql, ['p.description'])} + pg_column_size(p.images) + pg_column_size(p.attachments)`,
    sorts: {
      name: { column: 'name', type: 'text' },
      price: { column: 'price', type: 'numeric', nullable: true },
    },
    filters: {
      q: (text) => sql`p.name ilike ${containsPattern(text)}`,
      sku: (sku) => sql`p.sku = ${sku}`,
      ean: (ean) => sql`p.ean = ${ean}`,
      active: (active) => sql`p.active = ${active}`,
      category_uuid: (id) => sql`p.category_id = ${id}`,
      // `include` says what is shown of a product, not which products are.
      include: () => sql`true`,
    },
    rows: ({ where, order, sortValue, limit }) =>
      productRows(sql, sql`${where} order by ${order} limit ${limit}`, sortValue),
    items: (rows) => rows.map((row) => productItem(row, core, query.include)),
  });
});
