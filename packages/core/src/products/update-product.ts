import { type Product, UpdateProduct } from '@dealkeep/contract';
import type * as z from 'zod';
import { laterOf } from '../clock.ts';
import type { Core } from '../core.ts';
import { changesOf } from '../database/changes.ts';
import { breaksConstraint } from '../database/failures.ts';
import { notFound, Problem } from '../problem.ts';
import { requireUnchanged } from '../verb/require-unchanged.ts';
import { type OrganizationName, transact } from '../verb/transact.ts';
import type { Changing } from '../verb/verb.ts';
import { checkEdit } from './edit-product.ts';
import { type ProductRow, productRecord, productRows, readProduct } from './product-record.ts';

export type ProductChanges = z.input<typeof UpdateProduct>;

/**
 * Edits a product: `product.updated`. Absent fields stay, null clears, images and attachments are replaced as a
 * whole. What the record does not show (the VAT rate, and stock, which moves with every order) changes without an
 * event and leaves `updated_at` alone. Raises NOT_FOUND, VALIDATION_ERROR, and CONFLICT when the SKU is taken, or somebody
 * changed the product meanwhile.
 *
 * @param unchangedSince the `updated_at` that it must still have; whatever it has when absent
 */
export const updateProduct = (
  core: Core,
  organization: OrganizationName,
  { uuid, ...input }: { uuid: string } & ProductChanges,
  unchangedSince?: string,
): Promise<Product> =>
  transact(core, organization, async (context) => {
    const { category_uuid, ...columns } = await checkEdit({ ...context, id: uuid }, UpdateProduct, input);
    const row = await lockProduct(context, uuid);
    const before = productRecord(row, core);
    requireUnchanged(before, unchangedSince);
    const changes = changesOf(
      { ...row, images: before.images, attachments: before.attachments },
      { ...columns, category_id: category_uuid },
    );
    if (!changes) return before;
    await writeChanges(context, uuid, changes);
    // Rounded to two decimals, a price may be what it was.
    const shown = await readProduct(context, uuid);
    if (JSON.stringify(shown) === JSON.stringify(before)) return before;
    await writeChanges(context, uuid, { updated_at: laterOf(context.now, row.updated_at) });
    const after = await readProduct(context, uuid);
    context.emitUpdated('product.updated', before, after);
    return after;
  });

async function lockProduct({ sql, organization }: Changing, id: string): Promise<ProductRow> {
  const [row] = await productRows(
    sql,
    sql`p.organization_id = ${organization} and p.id = ${id} for no key update`,
  );
  if (!row) throw notFound();
  return row;
}

interface Columns {
  sku?: string | undefined;
  images?: Product['images'] | undefined;
  attachments?: Product['attachments'] | undefined;
  updated_at?: string;
}

async function writeChanges({ sql, organization }: Changing, id: string, changes: Columns): Promise<void> {
  const { images, attachments, ...columns } = changes;
  const values = {
    ...columns,
    ...(images ? { images: sql.json(images) } : {}),
    ...(attachments ? { attachments: sql.json(attachments) } : {}),
  };
  try {
    await sql`update products set ${sql(values)} where organization_id = ${organization} and id = ${id}`;
  } catch (error) {
    if (breaksConstraint(error, 'products_organization_id_sku_key')) {
      throw new Problem('product.sku', { sku: changes.sku ?? '' }, { about: 'sku' });
    }
    throw error;
  }
}
