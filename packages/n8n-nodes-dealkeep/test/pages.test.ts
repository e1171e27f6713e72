import { expect, test } from 'vitest';
import { actionDescription } from '../nodes/shared/generated/action-description.ts';
import { type ListRequest, listRecords } from '../nodes/shared/transport/pages.ts';
import type { ApiRequest, DealkeepApi } from '../nodes/shared/transport/request.ts';

/** A list of 250 records. */
function listed() {
  const sizes: number[] = [];
  const request = async ({ query }: ApiRequest) => {
    const [size, from] = [Number(query?.['limit']), Number(query?.['cursor'] ?? 0)];
    sizes.push(size);
    const to = Math.min(from + size, 250);
    const data = Array.from({ length: to - from }, (_, index) => ({ id: from + index }));
    return { data, next_cursor: to < 250 ? String(to) : null };
  };
  const api: Pick<DealkeepApi, 'request'> = { request };
  return { api, sizes };
}

async function read(limit: ListRequest['limit']) {
  const { api, sizes } = listed();
  const ids: unknown[] = [];
  for await (const record of listRecords(api, { path: '/leads', paged: true, query: {}, limit })) {
    ids.push(Object(record).id);
  }
  return { ids, sizes };
}

test('Return All walks through all pages, each record once (rule n8n 7)', async () => {
  const { ids, sizes } = await read(undefined);
  expect(ids).toEqual(Array.from({ length: 250 }, (_, index) => index));
  expect(sizes).toEqual([100, 100, 100]);
});

test.each([
  [7, [7]],
  [100, [100]],
  [130, [100, 30]],
])('a limit of %d asks for no more than that (rule n8n 7)', async (limit, asked) => {
  const { ids, sizes } = await read(limit);
  expect(ids).toHaveLength(limit);
  expect(sizes).toEqual(asked);
});

test('Limit is 50 unless something else is filled in (rule n8n 7)', () => {
  const limits = actionDescription.filter(({ name }) => name === 'limit');
  expect(limits.length).toBeGreaterThan(0);
  for (const limit of limits) expect(limit.default).toBe(50);
});
