import { textBytes } from '../lists/cut-page.ts';
import { containsPattern, listPage } from '../lists/list-page.ts';
import { reads } from '../verb/verb.ts';
import { productItem, productRows } from './product-record.ts';

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
      // It says what is shown, not which.
      include: () => sql`true`,
    },
    rows: ({ where, order, sortValue, limit }) =>
      productRows(sql, sql`${where} order by ${order} limit ${limit}`, sortValue),
    items: (rows) => rows.map((row) => productItem(row, core, query.include)),
  });
});
