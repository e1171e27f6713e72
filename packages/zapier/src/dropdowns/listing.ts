import { limits } from '@dealkeep/contract';
import { type ApiRecord, isApiRecord } from '../records/api-record.ts';
import { operationOf } from '../registry.ts';
import { type Page, pageIn } from '../requests/answer.ts';
import { callApi } from '../requests/call-api.ts';
import { pagesOf, type Run } from '../requests/pages.ts';

type Query = Readonly<Record<string, unknown>>;

/** Where the next page begins, kept between the runs; it belongs to one list alone. */
interface Bookmark {
  readonly page: number;
  readonly of: string;
  readonly cursor: string;
}

/**
 * The records of the page that the editor asks for. Zapier keeps the cursor for an hour and for the whole trigger, so
 * one that is gone or was left by another list is not trusted: the pages are then walked again from the first.
 */
export async function listedPage(run: Run, list: string, query: Query): Promise<readonly ApiRecord[]> {
  const { z, bundle } = run;
  const wanted = Number(bundle.meta?.page ?? 0);
  const of = JSON.stringify([list, query]);
  const bookmark = wanted > 0 ? bookmarkIn(await z.cursor.get()) : undefined;
  const isOurs = bookmark?.of === of && bookmark.page === wanted;
  let cursor = isOurs ? bookmark.cursor : undefined;
  for (let page = isOurs ? wanted : 0; ; page += 1) {
    const answered = await pageOf(run, list, query, cursor);
    if (page === wanted) {
      await z.cursor.set(JSON.stringify({ page: page + 1, of, cursor: answered.nextCursor ?? '' }));
      return answered.items;
    }
    if (answered.nextCursor === undefined) return [];
    cursor = answered.nextCursor;
  }
}

/** The record of a list with an id, on whatever page it stands: lookups cannot be read one by one. */
export async function listedOwner(run: Run, list: string, id: unknown): Promise<ApiRecord | undefined> {
  for await (const items of pagesOf(run, { operation: operationOf(list) })) {
    const found = items.find((item) => item['id'] === id);
    if (found) return found;
  }
  return undefined;
}

async function pageOf(
  { variant, z, bundle }: Run,
  list: string,
  query: Query,
  cursor: string | undefined,
): Promise<Page> {
  // The cursor after the last page is empty.
  if (cursor === '') return { items: [], nextCursor: undefined };
  const answer = await callApi(variant, z, bundle, {
    operation: operationOf(list),
    query: { ...query, limit: limits.pageSizeMaximum, cursor },
  });
  return pageIn(answer);
}

function bookmarkIn(text: unknown): Bookmark | undefined {
  if (typeof text !== 'string' || !text.startsWith('{')) return undefined;
  const kept: unknown = JSON.parse(text);
  if (!isApiRecord(kept)) return undefined;
  const { page, of, cursor } = kept;
  const isWhole = typeof page === 'number' && typeof of === 'string' && typeof cursor === 'string';
  return isWhole ? { page, of, cursor } : undefined;
}
