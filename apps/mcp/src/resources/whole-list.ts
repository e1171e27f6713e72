import { limits, type OperationId } from '@dealkeep/contract';
import { runOperation } from '../tools/run-operation.ts';
import type { Caller } from '../tools/tool.ts';

/** Lists to choose from are short; of one that is not, so many pages. */
const mostPages = 10;

/** A list to choose from, whole; `complete` is false where there is more than anybody chooses from. */
export async function wholeList(
  caller: Caller,
  id: OperationId,
): Promise<{ items: readonly unknown[]; complete: boolean }> {
  const items: unknown[] = [];
  let cursor: string | undefined;
  for (let page = 0; page < mostPages; page += 1) {
    const given = { limit: limits.pageSizeMaximum, ...(cursor === undefined ? {} : { cursor }) };
    const { data, next_cursor: next } = Object((await runOperation(caller, id, given)).value);
    if (Array.isArray(data)) items.push(...data);
    if (typeof next !== 'string') return { items, complete: true };
    cursor = next;
  }
  return { items, complete: false };
}
