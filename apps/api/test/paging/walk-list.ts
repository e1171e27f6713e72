import type { ApiClient, Query } from '@dealkeep/testing';

export type Row = Record<string, unknown> & { id: string };

/** Every page of a list, one after the other, whatever its records are. */
export async function walkList(api: ApiClient, path: string, query: Query): Promise<Row[]> {
  const rows: Row[] = [];
  for (let cursor = ''; ; ) {
    const search = new URLSearchParams(
      Object.entries({ ...query, ...(cursor ? { cursor } : {}) }).map(textual),
    );
    const { page } = await api.send<Row>('GET', `${path}?${search}`);
    rows.push(...page.data);
    if (page.next_cursor === null) return rows;
    cursor = page.next_cursor;
  }
}
const textual = ([name, value]: [string, unknown]): [string, string] => [name, String(value)];
