import { containsPattern, listPage } from '../lists/list-page.ts';
import { reads } from '../verb/verb.ts';

interface CategoryRow {
  id: string;
  name: string;
  product_count: number;
  sort_value: string | null;
}

/**
 * The categories that products have. A category is an id that products share and nothing else, so it came with the first
 * of them, changes with each, and is told by their names.
 */
export const listProductCategories = reads('product-categories.list', (context, { query }) => {
  const { sql, organization } = context;
  return listPage(context, query, {
    id: 'product-categories.list',
    alias: 'x',
    sorts: { name: { column: 'name', type: 'text' } },
    filters: { q: (text) => sql`x.searched ilike ${containsPattern(text)}` },
    rows: ({ where, order, sortValue, limit }) => sql<CategoryRow[]>`
      select x.id, x.name, x.product_count, ${sortValue} as sort_value
      from (
        select p.organization_id, p.category_id as id, count(*)::integer as product_count,
               min(p.created_at) as created_at, max(p.updated_at) as updated_at,
               concat(
                 array_to_string((array_agg(p.name order by p.name collate "sk-x-icu", p.id))[1:3], ', '),
                 case when count(*) > 3 then concat(' +', count(*) - 3) end) as name,
               string_agg(p.name, E'\n') as searched
        from products p
        where p.organization_id = ${organization} and p.category_id is not null
        group by p.organization_id, p.category_id
      ) x
      where ${where} order by ${order} limit ${limit}`,
    items: (rows) => rows.map(({ id, name, product_count }) => ({ id, name, product_count })),
  });
});
