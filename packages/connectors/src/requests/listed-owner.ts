import type { ApiRecord } from '../records/api-record.ts';
import { operationOf } from '../registry.ts';
import type { Api } from './api.ts';
import { pagesOf } from './pages.ts';

/** The record of a list with an id, on whatever page it stands: not all lookups can be read one by one. */
export async function listedOwner(api: Api, list: string, id: unknown): Promise<ApiRecord | undefined> {
  for await (const items of pagesOf(api, { operation: operationOf(list) })) {
    const found = items.find((item) => item['id'] === id);
    if (found) return found;
  }
  return undefined;
}
