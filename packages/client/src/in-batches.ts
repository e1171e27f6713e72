import type { Patience, PostOptions } from './options.ts';
import { batchLimits } from './registry.ts';

/** What takes batches: `dealkeep.contacts` and its like. */
interface Batching<Operation extends string, Item, Result> {
  batch(
    body: { operation: Operation; items: Item[] },
    options?: PostOptions,
  ): Promise<{ data: readonly Result[] }>;
}

/** The result of one of any number of items. */
export type BatchedResult<Item, Result> = Omit<Result, 'index'> & {
  /** The place of the item among all that were given, from 0. */
  readonly index: number;
  readonly item: Item;
};

/** A batch that other programs leave no requests for waits for the next minutes. */
const patience: Patience = { maxAttempts: 30, totalTimeoutMs: 30 * 60_000 };

/**
 * Sends any number of items in batches, one batch after another, as fast as the limits of the API let them, and
 * tells what became of each, in their order. An item that is refused has an `error`; what fails as a whole throws.
 *
 * With an `idempotencyKey` the same items can be sent again, by another process too: what was done is not done
 * twice.
 */
export async function* inBatches<
  Operation extends string,
  Item extends object,
  Result extends { index: number },
>(
  resource: Batching<Operation, Item, Result>,
  operation: Operation,
  items: Iterable<Item> | AsyncIterable<Item>,
  { idempotencyKey, ...options }: PostOptions = {},
): AsyncGenerator<BatchedResult<Item, Result>, void, undefined> {
  let sent = 0;
  for await (const batch of batchesOf(items)) {
    const first = sent;
    const own = idempotencyKey === undefined ? {} : { idempotencyKey: `${idempotencyKey}:${first}` };
    const { data } = await resource.batch({ operation, items: batch }, { ...patience, ...options, ...own });
    sent += batch.length;
    for (const { index, ...result } of data) {
      const item = batch[index];
      if (item !== undefined) yield { ...result, index: first + index, item };
    }
  }
}

/** As many items together as one request takes. */
async function* batchesOf<Item>(items: Iterable<Item> | AsyncIterable<Item>): AsyncGenerator<Item[]> {
  const encoder = new TextEncoder();
  let batch: Item[] = [];
  let bytes = 0;
  for await (const item of items) {
    const size = encoder.encode(JSON.stringify(item)).length + ','.length;
    if (batch.length > 0 && (batch.length >= batchLimits.items || bytes + size > batchLimits.itemsBytes)) {
      yield batch;
      batch = [];
      bytes = 0;
    }
    batch.push(item);
    bytes += size;
  }
  if (batch.length > 0) yield batch;
}
