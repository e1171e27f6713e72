import { type ApiRecord, isApiRecord, operationOf, type Page, pageIn } from '@dealkeep/connectors';
import { limits } from '@dealkeep/contract';
import type { Run } from '../requests/run.ts';

type Query = Readonly<Record<string, unknown>>;

/** Where the next page begins, kept between the runs; it belongs to one list alone. */
interface Bookmark {
  readonly page: number;
  readonly of: string;
  readonly cursor: string;
}

/**
 * The records of the page that the editor asks for. Zapier keeps the cursor for an hour and for the whole trigger,
 * so one that is gone or was left by another list is not trusted: the pages are then walked again from the first.
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

async function pageOf({ api }: Run, list: string, query: Query, cursor: string | undefined): Promise<Page> {
  // The cursor after the last page is empty.
  if (cursor === '') return { items: [], nextCursor: undefined };
  const answer = await api.call({
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
