import {
  type EveryOperation,
  type Product,
  type ProductItem,
  type QueryOf,
  resources,
} from '@dealkeep/contract';
import { countRecords, listRecords, recordList } from '../../change/paging/list-page.ts';
import { contains } from '../../change/paging/search.ts';
import {
  boolean,
  defineRecord,
  json,
  moment,
  number,
  type RowIn,
  text,
  uuid,
} from '../../change/record-tables/define-record.ts';
import { type ReadContext, reads } from '../../change/verb/verb.ts';

export const products = defineRecord({
  schema: resources.product.schema,
  table: 'products',
  alias: 'p',
  columns: {
    id: uuid,
    sku: text,
    ean: text,
    name: text,
    description: text.orNull,
    price: number.orNull,
    discounted_price: number.orNull,
    vat_rate: number,
    active: boolean,
    category_id: uuid.orNull,
    stock_on_hand: number,
    images: json<Product['images']>(),
    attachments: json<Product['attachments']>(),
    created_at: moment,
    updated_at: moment,
  },
  searched: {
    texts: ['name'],
    identifiers: ['sku', 'ean'],
    subtitle: `concat_ws(' · ', p.sku, nullif(p.ean, ''))`,
  },
  joined: {
    // Less what open orders have reserved.
    stock_available: number.from('p.stock_on_hand - p.stock_reserved'),
  },
  shown: (row, { core }) => ({
    uuid: row.id,
    category_uuid: row.category_id,
    // jsonb forgets the order of keys, so it is written anew.
    images: row.images.map(({ url, title, alt_text, is_primary }) => ({ url, title, alt_text, is_primary })),
    attachments: row.attachments.map(({ url, title, kind, locale, mime, size_bytes }) => ({
      url,
      title,
      kind,
      locale,
      mime,
      size_bytes,
    })),
    app_url: `${core.origin}/products/${row.id}`,
  }),
});

export type ProductRow = RowIn<typeof products>;

/** A product as GET shows it; without `include` as events do, which know nothing of its stock. */
export function including(include: 'stock' | undefined, product: Product): Product {
  if (include === 'stock') return product;
  const { stock_on_hand: _, stock_available: __, ...shown } = product;
  return shown;
}

export const getProduct = reads('products.get', async (context, { path, query }) =>
  including(query.include, await products.get(context, path.uuid)),
);

/** A product as lists show it. */
function itemOf({ images: _, attachments: __, ...item }: Product): ProductItem {
  return item;
}

const productList = (context: ReadContext, query: QueryOf<EveryOperation['products.list']>) => {
  const { sql } = context;
  return recordList({
    id: 'products.list',
    record: products,
    sorts: {
      name: { column: 'name', type: 'text' },
      price: { column: 'price', type: 'numeric', nullable: true },
    },
    filters: {
      q: (text) => contains(sql, text, ...products.searchedTexts),
      sku: (sku) => sql`p.sku = ${sku}`,
      ean: (ean) => sql`p.ean = ${ean}`,
      active: (active) => sql`p.active = ${active}`,
      category_uuid: (id) => sql`p.category_id = ${id}`,
      // It chooses what is shown of products, not which products are listed.
      include: () => sql`true`,
    },
    items: async (rows) =>
      (await products.records(context, rows)).map((product) => itemOf(including(query.include, product))),
  });
};

export const listProducts = reads('products.list', (context, { query }) =>
  listRecords(context, query, productList(context, query)),
);

export const countProducts = reads('products.count', (context, { query }) =>
  countRecords(context, query, productList(context, query)),
);
