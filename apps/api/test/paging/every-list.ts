import { bareSchema, type OperationDeclaration, operations } from '@dealkeep/contract';
import * as z from 'zod';

/** A list with its query, as the contract declares it. */
export interface ListDeclaration {
  path: string;
  /** `created_at`, `-created_at`, … */
  sorts: string[];
  /** All its parameters: their schemas by name. */
  parameters: Readonly<Record<string, z.core.$ZodType>>;
}

/** Every paginated list of the API. */
export const everyList: ListDeclaration[] = Object.values<OperationDeclaration>(operations).flatMap(
  ({ id, path, shape, query }) => {
    if (shape !== 'list' || !query) return [];
    const { sort } = query.shape;
    const { bare } = bareSchema(sort ?? z.undefined());
    if (!(bare instanceof z.ZodEnum)) throw new Error(`The sort of ${id} is no choice of fields`);
    return [{ path, sorts: bare.options.map(String), parameters: query.shape }];
  },
);
