import { type ApiFields, isRecord } from '../record.ts';
import type { Field } from '../tables.ts';
import type { DealkeepApi } from './request.ts';

const largestPage = 100;

type Requesting = Pick<DealkeepApi, 'request'>;

export interface ListRequest {
  readonly path: string;
  /** False when the API answers everything on one page and takes no parameters. */
  readonly paged: boolean;
  readonly query: ApiFields;
  /** Records wanted; undefined for all. */
  readonly limit: number | undefined;
  /** Each page names a next one, so an empty one is the end for now. */
  readonly endless?: true;
  readonly fields?: readonly Field[];
}

/** The records of a list, page after page, never more of them asked for than wanted. */
export async function* listRecords(api: Requesting, list: ListRequest): AsyncGenerator<unknown, void, void> {
  let left = list.limit ?? Number.POSITIVE_INFINITY;
  let cursor: string | undefined;
  do {
    const page = await readPage(api, list, Math.min(left, largestPage), cursor);
    for (const record of page.records) {
      if (left <= 0) return;
      left -= 1;
      yield record;
    }
    cursor = list.endless && page.records.length === 0 ? undefined : page.next;
  } while (cursor !== undefined && left > 0);
}

/** One page and the cursor of the next. */
export async function readPage(
  api: Requesting,
  list: Omit<ListRequest, 'limit'>,
  size: number,
  cursor: string | undefined,
): Promise<{ records: unknown[]; next: string | undefined }> {
  const answer = await api.request({
    method: 'GET',
    path: list.path,
    ...(list.paged
      ? { query: { ...list.query, limit: size, ...(cursor === undefined ? {} : { cursor }) } }
      : {}),
    ...(list.fields === undefined ? {} : { fields: list.fields }),
  });
  const data = isRecord(answer) ? answer['data'] : undefined;
  const next = isRecord(answer) ? answer['next_cursor'] : undefined;
  return {
    records: Array.isArray(data) ? data : [],
    next: typeof next === 'string' && next !== '' ? next : undefined,
  };
}
