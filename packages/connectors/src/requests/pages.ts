import { limits } from '@dealkeep/contract';
import type { ApiRecord } from '../records/api-record.ts';
import { pageIn } from './answer.ts';
import type { Api, Call } from './api.ts';

/** All records of a list, for lists that people keep and that end. */
export async function everyRecord(api: Api, call: Call): Promise<ApiRecord[]> {
  const all: ApiRecord[] = [];
  for await (const items of pagesOf(api, call)) all.push(...items);
  return all;
}

/** The pages of a list from the first to the last, each as large as can be and asked for when it is wanted. */
export async function* pagesOf(api: Api, call: Call): AsyncGenerator<readonly ApiRecord[]> {
  let cursor: string | undefined;
  do {
    const query = { ...call.query, limit: limits.pageSizeMaximum, cursor };
    const page = pageIn(await api.call({ ...call, query }));
    yield page.items;
    cursor = page.nextCursor;
  } while (cursor !== undefined);
}
