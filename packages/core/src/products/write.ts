import { randomUUIDv7 } from 'node:crypto';
import {
  CreateProduct,
  checkValue,
  type FieldProblem,
  type Product,
  UpdateProduct,
} from '@dealkeep/contract';
import type * as z from 'zod';
import { laterOf } from '../clock.ts';
import type { Core } from '../core.ts';
import { breaksConstraint } from '../database/failures.ts';
import { cents, changesOf } from '../database/values.ts';
import { invalidFields, Problem } from '../problem.ts';
import { checkInputThroughout, type ValidPart, withFurther } from '../verb/check-input.ts';
import { type Once, type OrganizationName, requireUnchanged, transact } from '../verb/transact.ts';
import type { Changing, Scope } from '../verb/verb.ts';
import { including, type ProductRow, products } from './record.ts';

export type NewProduct = z.input<typeof CreateProduct>;

/** Adds a product: `product.created`. Raises VALIDATION_ERROR, and CONFLICT when its SKU is taken. */
export const createProduct = (
  core: Core,
  organization: OrganizationName,
  input: NewProduct,
  once?: Once,
): Promise<Product> =>
  transact(
    core,
    organization,
    async (context) => {
      const { sql, now } = context;
      const { category_uuid, ...columns } = await checkEdit(context, CreateProduct, input);
      const inserted = products.inserting(context, {
        ...products.valuesOf(columns),
        id: randomUUIDv7(),
        category_id: category_uuid,
        created_at: now,
        updated_at: now,
      });
      const [row] = await products.written(
        sql,
        sql`written as (${inserted} on conflict (organization_id, sku) do nothing returning *)`,
      );
      if (!row) throw new Problem('product.sku', { sku: columns.sku }, { about: 'sku' });
      const created = await shown(context, row);
      context.emit('product.created', created);
      return created;
    },
    once,
  );

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
    const row = await products.lock(context, uuid);
    const before = await shown(context, row);
    requireUnchanged(before, unchangedSince);
    const { price, discounted_price } = columns;
    const changes = changesOf(
      { ...row, images: before.images, attachments: before.attachments },
      {
        ...products.valuesOf(columns),
        category_id: category_uuid,
        price: price == null ? price : cents(price),
        discounted_price: discounted_price == null ? discounted_price : cents(discounted_price),
      },
    );
    if (!changes) return before;
    const planned = await shown(context, Object.assign({ ...row }, changes));
    if (JSON.stringify(planned) === JSON.stringify(before)) {
      await writeChanges(context, uuid, changes);
      return before;
    }
    const updatedAt = laterOf(context.now, row.updated_at);
    const after = await shown(
      context,
      await writeChanges(context, uuid, { ...changes, updated_at: updatedAt }),
    );
    context.emitUpdated('product.updated', before, after);
    return after;
  });

/** A product as its events carry it. */
const shown = async (context: Scope, row: ProductRow): Promise<Product> =>
  including(undefined, await products.recordOf(context, row));

async function writeChanges(
  context: Changing,
  id: string,
  changes: Parameters<typeof products.update>[2] & { readonly sku?: string | undefined },
): Promise<ProductRow> {
  try {
    return await products.update(context, id, changes);
  } catch (error) {
    if (breaksConstraint(error, 'products_organization_id_sku_key')) {
      throw new Problem('product.sku', { sku: changes.sku ?? '' }, { about: 'sku' });
    }
    throw error;
  }
}

interface EditedProduct {
  sku?: string | undefined;
  images?: readonly { is_primary: boolean }[] | undefined;
}

/** Whose product is edited; without an id, it is a new one. */
type Edited = Pick<Scope, 'sql' | 'organization'> & { readonly id?: string };

/**
 * Checks what was edited by the contract's schema, and that one image at most is the primary one. Raises
 * VALIDATION_ERROR with every failing field; a SKU that is taken is one of them, unless nothing else is wrong.
 */
async function checkEdit<Schema extends z.ZodType<EditedProduct>>(
  edited: Edited,
  schema: Schema,
  input: z.input<Schema>,
): Promise<z.output<Schema>> {
  const checked = await checkInputThroughout<z.ZodType<EditedProduct>>(schema, input, ({ part }) =>
    further(edited, part),
  );
  const primaries = furtherPrimaries(checked.images ?? []);
  if (primaries.length > 0) throw invalidFields([...primaries, ...(await takenSku(edited, checked.sku))]);
  return checked as z.output<Schema>;
}

/** What is wrong with a product that is not saved: of a new one, or of changes of the one with the id. */
export async function problemsOfProduct(
  core: Pick<Core, 'sql'>,
  { id: organization }: Pick<OrganizationName, 'id'>,
  { uuid, ...input }: { readonly uuid?: string },
): Promise<FieldProblem[]> {
  const schema = uuid === undefined ? CreateProduct : UpdateProduct;
  const edited = { sql: core.sql, organization, ...(uuid === undefined ? {} : { id: uuid }) };
  const { problems = [] } = checkValue(schema, input);
  return withFurther<z.ZodType<EditedProduct>>(schema, input, problems, ({ part }) => further(edited, part));
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
    select from products
    where organization_id = ${organization} and sku = ${sku} and id is distinct from ${id ?? null}`;
  return taken ? [{ path: 'sku', key: 'product.sku', values: { sku } }] : [];
}
