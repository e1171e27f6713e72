import {
  bareSchema,
  type OperationDeclaration,
  type OperationId,
  operationIds,
  operations,
} from '@dealkeep/contract';
import { logAttempt, type TestDealkeep } from '@dealkeep/testing';
import type { Business } from '@dealkeep/testing/business';
import * as z from 'zod';

/** A list with its query, as the contract declares it. */
export interface ListDeclaration {
  id: OperationId;
  path: string;
  /** `created_at`, `-created_at`, …; none where the list has one order. */
  sorts: string[];
  /** It tells what happened: nothing in it changes. */
  endless: boolean;
  /** All its parameters: their schemas by name. */
  parameters: Readonly<Record<string, z.core.$ZodType>>;
}

/** Every paginated list of the API. */
export const everyList: ListDeclaration[] = operationIds.flatMap((id) => {
  const { path, shape, query, ...more }: OperationDeclaration = operations[id];
  const endless = more.endless === true;
  if (shape !== 'list' || !query) return [];
  const { sort } = query.shape;
  if (!sort) return [{ id, path, sorts: [], endless, parameters: query.shape }];
  const { bare } = bareSchema(sort);
  if (!(bare instanceof z.ZodEnum)) throw new Error(`The sort of ${id} is no choice of fields`);
  return [{ id, path, sorts: bare.options.map(String), endless, parameters: query.shape }];
});

/** Those of records, which change while somebody reads: they sort by it. */
export const listsOfRecords = everyList.filter(({ sorts }) => sorts.length > 0);

/** What belongs to one record: makes one with something in its list, and answers the list's path. */
const listsOfOne: Readonly<Record<string, (dealkeep: TestDealkeep, business: Business) => Promise<string>>> =
  {
    '/webhooks/{id}/deliveries': async (dealkeep, { api, organization }) => {
      const { data } = await api.post('/webhooks', {
        target_url: 'http://127.0.0.1:9/',
        event: 'lead.created',
      });
      for (let count = 0; count < 5; count += 1) {
        await logAttempt(dealkeep, { organization: organization.id, hook: data.id });
      }
      return `/webhooks/${data.id}/deliveries`;
    },
  };

/** Where a list stands for a business. */
export async function addressOf(dealkeep: TestDealkeep, business: Business, path: string): Promise<string> {
  if (!path.includes('{')) return path;
  const make = listsOfOne[path];
  if (!make) throw new Error(`Nothing makes a record that has the list ${path}`);
  return make(dealkeep, business);
}
