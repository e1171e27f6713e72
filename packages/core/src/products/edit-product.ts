import { CreateProduct, checkValue, type FieldProblem, UpdateProduct } from '@dealkeep/contract';
import type * as z from 'zod';
import type { Core } from '../core.ts';
import { invalidFields } from '../problem.ts';
import { checkInputThroughout } from '../verb/check-input.ts';
import { type ValidPart, withFurther } from '../verb/further-problems.ts';
import type { OrganizationName } from '../verb/transact.ts';
import type { Scope } from '../verb/verb.ts';

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
export async function checkEdit<Schema extends z.ZodType<EditedProduct>>(
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
