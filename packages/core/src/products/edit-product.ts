import { CreateProduct, type FieldProblem, UpdateProduct } from '@dealkeep/contract';
import type * as z from 'zod';
import type { Core } from '../core.ts';
import { invalidFields } from '../problem.ts';
import { checkInputThroughout, problemsThroughout } from '../verb/check-input.ts';
import type { ValidPart } from '../verb/further-problems.ts';
import type { OrganizationName } from '../verb/transact.ts';
import type { Scope } from '../verb/verb.ts';

/** What the contract alone does not judge. */
interface Edited {
  sku?: string | null | undefined;
  images?: readonly { is_primary: boolean }[] | undefined;
}

/** Which product is edited; a new one without an id. */
type Place = Pick<Scope, 'sql' | 'organization'> & { readonly id?: string };

/**
 * Checks what was edited by the contract's schema, and that one image at most is the primary one. What is refused is
 * told of a SKU that is taken, too. Raises VALIDATION_ERROR.
 */
export async function checkEdit<Schema extends z.ZodType<Edited>>(
  place: Place,
  schema: Schema,
  input: z.input<Schema>,
): Promise<z.output<Schema>> {
  const edited = await checkInputThroughout<z.ZodType<Edited>>(schema, input, ({ part }) =>
    furtherProblems(place, part),
  );
  // A SKU alone is a conflict, which the database finds.
  if (furtherPrimaries(edited.images ?? []).length > 0) {
    throw invalidFields(await furtherProblems(place, edited));
  }
  return edited as z.output<Schema>;
}

/** What is wrong with a product that is made, or with changes of one, for a form that is refused anyway. */
export const productProblems = (
  { sql }: Pick<Core, 'sql'>,
  { id: organization }: Pick<OrganizationName, 'id'>,
  { uuid: id, ...input }: { uuid?: string } & Readonly<Record<string, unknown>>,
): Promise<FieldProblem[]> => {
  const place = { sql, organization, ...(id === undefined ? {} : { id }) };
  const schema: z.ZodType<Edited> = id === undefined ? CreateProduct : UpdateProduct;
  return problemsThroughout(schema, input, ({ part }) => furtherProblems(place, part));
};

const furtherProblems = async (
  place: Place,
  { sku, images = [] }: ValidPart<Edited>,
): Promise<FieldProblem[]> => [...furtherPrimaries(images), ...(await skuProblems(place, sku))];

const furtherPrimaries = (
  images: readonly ({ readonly is_primary?: boolean } | undefined)[],
): FieldProblem[] =>
  [...images.entries()]
    .filter(([, image]) => image?.is_primary)
    .slice(1)
    .map(([index]) => ({ path: `images[${index}].is_primary`, key: 'field.one_primary' }));

async function skuProblems(
  { sql, organization, id }: Place,
  sku: string | null | undefined,
): Promise<FieldProblem[]> {
  if (!sku) return [];
  const [taken] = await sql`
    select from products
    where organization_id = ${organization} and sku = ${sku} and id is distinct from ${id ?? null}`;
  return taken ? [{ path: 'sku', key: 'product.sku', values: { sku } }] : [];
}
