import { randomUUIDv7 } from 'node:crypto';
import { CreateProduct, type Product } from '@dealkeep/contract';
import type * as z from 'zod';
import type { Core } from '../core.ts';
import { Problem } from '../problem.ts';
import { type Once, type OrganizationName, transact } from '../verb/transact.ts';
import { checkEdit } from './edit-product.ts';
import { readProduct } from './product-record.ts';

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
      const { category_uuid, images, attachments, ...columns } = await checkEdit(
        context,
        CreateProduct,
        input,
      );
      const id = randomUUIDv7();
      const product = {
        ...Object.fromEntries(Object.entries(columns).filter(([, value]) => value !== undefined)),
        organization_id: organization.id,
        id,
        category_id: category_uuid ?? null,
        images: sql.json(images ?? []),
        attachments: sql.json(attachments ?? []),
        created_at: now,
        updated_at: now,
      };
      const inserted = await sql`
      insert into products ${sql(product)} on conflict (organization_id, sku) do nothing returning 1`;
      if (inserted.length === 0) throw new Problem('product.sku', { sku: columns.sku }, { about: 'sku' });
      const created = await readProduct(context, id);
      context.emit('product.created', created);
      return created;
    },
    once,
  );
