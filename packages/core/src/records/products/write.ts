import type { FieldProblem, Product } from '@dealkeep/contract';
import { isChanging, type ReadContext, writes } from '../../change/verb/verb.ts';
import { laterOf } from '../../foundations/clock.ts';
import { breaksConstraint } from '../../foundations/database/failures.ts';
import { newId } from '../../foundations/database/new-id.ts';
import { changesOf } from '../../foundations/database/values.ts';
import { amountIn } from '../../foundations/numbers/totals.ts';
import { invalidFields, Problem } from '../../foundations/problem.ts';
import { including, type ProductRow, products } from './record.ts';

/** Raises CONFLICT when its SKU is taken. */
export const createProduct = writes('products.create', {
  check: (context, { body }) => checkProduct(context, body),
  async run(context, { body }) {
    const { sql, now } = context;
    const { category_uuid, ...columns } = body;
    const { currency } = await context.referenceData();
    const inserted = products.inserting(context, {
      ...products.valuesOf(columns),
      price: amountIn(currency, columns.price),
      discounted_price: amountIn(currency, columns.discounted_price),
      id: newId(),
      category_id: category_uuid,
      created_at: now,
      updated_at: now,
    });
    const [row] = await products.written(
      context,
      sql`written as (${inserted} on conflict (organization_id, sku) do nothing returning *)`,
    );
    if (!row) throw skuTaken(columns.sku);
    const created = await shown(context, row);
    context.emit('product.created', created);
    return created;
  },
});

/**
 * Absent fields stay, null clears, images and attachments are replaced as a whole. What the record does not show
 * (the VAT rate, and stock, which moves with every order) changes without an event and leaves `updated_at` alone.
 * Raises CONFLICT when the SKU is taken.
 */
export const updateProduct = writes('products.update', {
  check: (context, { path: { uuid }, body }) => checkProduct(context, body, uuid),
  async run(context, { path: { uuid }, body }) {
    const { category_uuid, ...columns } = body;
    const row = await products.lock(context, uuid);
    const before = await shown(context, row);
    const { currency } = await context.referenceData();
    const { price, discounted_price } = columns;
    const changes = changesOf(
      { ...row, images: before.images, attachments: before.attachments },
      {
        ...products.valuesOf(columns),
        category_id: category_uuid,
        price: amountIn(currency, price, row.price),
        discounted_price: amountIn(currency, discounted_price, row.discounted_price),
      },
    );
    if (!changes) return before;
    const planned = await shown(context, products.changed(row, changes));
    const isShown = JSON.stringify(planned) !== JSON.stringify(before);
    const updated_at = isShown ? laterOf(context.now, row.updated_at) : row.updated_at;
    const changed = { ...changes, updated_at };
    const after = await shown(
      context,
      await products.update(context, row, changed, {
        refused: (failure) =>
          breaksConstraint(failure, 'products_organization_id_sku_key') ? skuTaken(changes.sku) : undefined,
      }),
    );
    if (isShown) context.emitUpdated('product.updated', before, after);
    return after;
  },
});

/** A product as its events carry it. */
const shown = async (context: ReadContext, row: ProductRow): Promise<Product> =>
  including(undefined, await products.recordOf(context, row));

const skuTaken = (sku = ''): Problem => new Problem('product.sku', { sku }, { about: 'sku' });

interface SentProduct {
  readonly sku?: string | undefined;
  readonly images?: readonly ({ readonly is_primary?: boolean } | undefined)[] | undefined;
}

/** Raises VALIDATION_ERROR. A change finds out itself whether another product has the SKU. */
async function checkProduct(
  context: ReadContext,
  { images = [], sku }: SentProduct,
  id?: string,
): Promise<void> {
  const problems = [
    ...[...images.entries()]
      .filter(([, image]) => image?.is_primary)
      .slice(1)
      .map(([index]): FieldProblem => ({ path: `images[${index}].is_primary`, key: 'field.one_primary' })),
    ...(isChanging(context) ? [] : await takenSku(context, sku, id)),
  ];
  if (problems.length > 0) throw invalidFields(problems);
}

async function takenSku(
  { sql, organization }: ReadContext,
  sku: string | undefined,
  id: string | undefined,
): Promise<FieldProblem[]> {
  if (sku === undefined) return [];
  const [taken] = await sql`
    select 1 from products
    where organization_id = ${organization} and sku = ${sku} and id is distinct from ${id ?? null}`;
  return taken ? [{ path: 'sku', key: 'product.sku', values: { sku } }] : [];
}
