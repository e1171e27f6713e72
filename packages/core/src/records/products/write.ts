import type { FieldProblem, Product } from '@dealkeep/contract';
import type { ValidPart } from '../../change/verb/check-input.ts';
import { type ReadContext, writes } from '../../change/verb/verb.ts';
import { laterOf } from '../../foundations/clock.ts';
import { breaksConstraint } from '../../foundations/database/failures.ts';
import { newId } from '../../foundations/database/new-id.ts';
import { changesOf } from '../../foundations/database/values.ts';
import { amountIn } from '../../foundations/numbers/totals.ts';
import { invalidFields, Problem } from '../../foundations/problem.ts';
import { including, type ProductRow, products } from './record.ts';

/** Raises CONFLICT when its SKU is taken. */
export const createProduct = writes(
  'products.create',
  async (context, { body }) => {
    const { sql, now } = context;
    await requireOnePrimary(context, body);
    const { category_uuid, ...columns } = body;
    const { currency } = await context.directory();
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
    if (!row) throw new Problem('product.sku', { sku: columns.sku }, { about: 'sku' });
    const created = await shown(context, row);
    context.emit('product.created', created);
    return created;
  },
  { further: (context, { part }) => further(context, part) },
);

/**
 * Absent fields stay, null clears, images and attachments are replaced as a whole. What the record does not show
 * (the VAT rate, and stock, which moves with every order) changes without an event and leaves `updated_at` alone.
 * Raises CONFLICT when the SKU is taken.
 */
export const updateProduct = writes(
  'products.update',
  async (context, { path: { uuid }, body }) => {
    await requireOnePrimary({ ...context, id: uuid }, body);
    const { category_uuid, ...columns } = body;
    const row = await products.lock(context, uuid);
    const before = await shown(context, row);
    const { currency } = await context.directory();
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
      await products.update(context, row, changed, { refused: skuTaken(changes) }),
    );
    if (isShown) context.emitUpdated('product.updated', before, after);
    return after;
  },
  { further: (context, { part }, { uuid }) => further({ ...context, id: uuid }, part) },
);

/** A product as its events carry it. */
const shown = async (context: ReadContext, row: ProductRow): Promise<Product> =>
  including(undefined, await products.recordOf(context, row));

/** What a failure to write a product means where another one has its SKU. */
const skuTaken =
  ({ sku = '' }: { sku?: string | undefined }) =>
  (failure: unknown): Problem | undefined =>
    breaksConstraint(failure, 'products_organization_id_sku_key')
      ? new Problem('product.sku', { sku }, { about: 'sku' })
      : undefined;

interface EditedProduct {
  sku?: string | undefined;
  images?: readonly { is_primary: boolean }[] | undefined;
}

/** Whose product is edited; without an id, it is a new one. */
type Edited = Pick<ReadContext, 'sql' | 'organization'> & { readonly id?: string };

/** Raises VALIDATION_ERROR, with a SKU that is taken besides. */
async function requireOnePrimary(edited: Edited, { images = [], sku }: EditedProduct): Promise<void> {
  const primaries = furtherPrimaries(images);
  if (primaries.length > 0) throw invalidFields([...primaries, ...(await takenSku(edited, sku))]);
}

const further = async (edited: Edited, part: ValidPart<EditedProduct>): Promise<FieldProblem[]> => [
  ...furtherPrimaries(part.images ?? []),
  ...(await takenSku(edited, part.sku)),
];

const furtherPrimaries = (
  images: readonly ({ readonly is_primary?: boolean } | undefined)[],
): FieldProblem[] =>
  [...images.entries()]
    .filter(([, image]) => image?.is_primary)
    .slice(1)
    .map(([index]) => ({ path: `images[${index}].is_primary`, key: 'field.one_primary' }));

async function takenSku({ sql, organization, id }: Edited, sku: string | undefined): Promise<FieldProblem[]> {
  if (sku === undefined) return [];
  const [taken] = await sql`
    select 1 from products
    where organization_id = ${organization} and sku = ${sku} and id is distinct from ${id ?? null}`;
  return taken ? [{ path: 'sku', key: 'product.sku', values: { sku } }] : [];
}
