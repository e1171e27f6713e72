import {
  CreateProduct,
  CreateQuote,
  type OperationId,
  operations,
  type ResourceName,
  resources,
  UpdateProduct,
} from '@dealkeep/contract';
import {
  createProduct,
  createQuote,
  findQuote,
  listQuotes,
  type NewProduct,
  type NewQuote,
  runAsPerson,
  updateProduct,
} from '@dealkeep/core';
import type * as z from 'zod';
import type { ConsoleContext } from '../context.ts';
import { sessionOf } from '../context.ts';

/** A record as the API answers it. */
export type ShownRecord = Readonly<Record<string, unknown>>;

export interface ShownPage {
  readonly data: readonly ShownRecord[];
  readonly next_cursor: string | null;
  readonly has_more: boolean;
}

/** Makes or changes a record from what a form says. */
interface Edit {
  readonly schema: z.ZodObject;
  run(c: ConsoleContext, body: Readonly<Record<string, unknown>>, id?: string): Promise<ShownRecord>;
}

/** One kind of records and how the console lists, shows and edits them. */
export interface RecordKind {
  readonly resource: ResourceName;
  /** Below the origin, as in `app_url`. */
  readonly path: string;
  /** Name of the field that identifies it. */
  readonly idField: 'id' | 'uuid';
  /** Fields shown in a list; the first leads to the record. */
  readonly columns: readonly string[];
  /** Parameters of the list. */
  readonly query: z.ZodObject;
  titleOf(record: ShownRecord): string;
  list(c: ConsoleContext, query: readonly (readonly [string, string])[]): Promise<ShownPage>;
  get(c: ConsoleContext, id: string): Promise<ShownRecord>;
  readonly create?: Edit;
  readonly update?: Edit;
}

interface Declared {
  readonly resource: ResourceName;
  readonly path: string;
  readonly columns: readonly string[];
  readonly idField?: 'uuid';
  titleOf?(record: ShownRecord): string;
}

const textIn = (record: ShownRecord, ...path: string[]): string => {
  let value: unknown = record;
  for (const name of path) value = Reflect.get(Object(value), name);
  return typeof value === 'string' ? value : '';
};

/** A kind whose pages are the API's operations. */
function fromOperations(declared: Declared): RecordKind {
  const { resource, path, columns, idField = 'id' } = declared;
  const plural = path.slice(1);
  const idOf = (kind: string): OperationId | undefined => {
    const id = `${plural}.${kind}`;
    return id in operations ? (id as OperationId) : undefined;
  };
  const get = idOf('get');
  const list = idOf('list');
  if (!get || !list) throw new Error(`${resource} has no operations to list and get it`);
  const { query } = operations[list] as { query: z.ZodObject };
  const edit = (id: OperationId | undefined): Edit | undefined => {
    const { body } = (id ? operations[id] : {}) as { body?: z.ZodObject };
    if (!id || !body) return undefined;
    return {
      schema: body,
      run: async (c, values, record) =>
        (await runAsPerson(c.get('core'), sessionOf(c), id, {
          body: values,
          ...(record === undefined ? {} : { path: { [idField]: record } }),
        })) as ShownRecord,
    };
  };
  const [create, update] = [edit(idOf('create')), edit(idOf('update'))];
  return {
    ...{ resource, path, idField, columns, query },
    titleOf: declared.titleOf ?? ((record) => textIn(record, 'name')),
    list: async (c, pairs) =>
      (await runAsPerson(c.get('core'), sessionOf(c), list, { query: pairs })) as ShownPage,
    get: async (c, id) =>
      (await runAsPerson(c.get('core'), sessionOf(c), get, { path: { [idField]: id } })) as ShownRecord,
    ...(create ? { create } : {}),
    ...(update ? { update } : {}),
  };
}

const products = fromOperations({
  resource: 'product',
  path: '/products',
  idField: 'uuid',
  columns: ['name', 'sku', 'price', 'discounted_price', 'active', 'updated_at'],
});
