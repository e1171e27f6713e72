import { limits } from '@dealkeep/contract';
import type { TestDealkeep } from '@dealkeep/testing';

export interface ListPage {
  data: { id?: string; uuid?: string }[];
  next_cursor: string | null;
  has_more: boolean;
}

/** Walks a list by its largest pages; each page with its size. */
export async function pagesOf(
  { baseUrl }: Pick<TestDealkeep, 'baseUrl'>,
  key: string,
  path: string,
): Promise<(ListPage & { bytes: number })[]> {
  const pages: (ListPage & { bytes: number })[] = [];
  let cursor: string | null = '';
  while (cursor !== null) {
    const query = new URLSearchParams({ limit: '100', ...(cursor === '' ? {} : { cursor }) });
    const init = { headers: { Authorization: `Bearer ${key}` } };
    const text = await (await fetch(`${baseUrl}${path}?${query}`, init)).text();
    const page: ListPage = JSON.parse(text);
    pages.push({ ...page, bytes: Buffer.byteLength(text) });
    cursor = page.next_cursor;
  }
  return pages;
}

/** A text of so many signs as fit into 64 KiB of JSON. */
export const largest = (sign: string): string =>
  sign.repeat(limits.textBytes / Buffer.byteLength(JSON.stringify(sign).slice(1, -1)));
