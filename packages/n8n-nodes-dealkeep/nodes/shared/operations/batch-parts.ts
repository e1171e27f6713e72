import { batchItems, bodyBytes } from '../generated/limits.ts';
import type { ApiFields } from '../record.ts';
import type { BatchTable, Operation } from '../tables.ts';
import type { Failed } from './run-alone.ts';
import type { Task } from './run-operation.ts';

/** An item that is read and can be sent with others. */
export interface Ready {
  readonly item: number;
  readonly task: Task;
  readonly batch: BatchTable;
  readonly body: ApiFields;
}

/** An item as it was read: to be sent with others, to be run alone, or with values that cannot be meant. */
export type ReadItem = Ready | { readonly item: number; readonly alone: true } | Failed;

/** What stands around the items in the body of a batch. */
const envelopeBytes = 1000;

/**
 * Items that follow one another and are done together: those of one operation, as many as a batch and a body hold.
 */
class Part {
  readonly items: ReadItem[] = [];
  #operation: Operation | undefined;
  #count = 0;
  #bytes = envelopeBytes;

  takes(item: ReadItem): boolean {
    if ('alone' in item || this.items.some((each) => 'alone' in each)) return false;
    if ('error' in item || this.#operation === undefined) return true;
    const fits = this.#count < batchItems && this.#bytes + bytesOf(item) < bodyBytes;
    return fits && item.task.operation === this.#operation;
  }

  add(item: ReadItem): void {
    this.items.push(item);
    if (!('task' in item)) return;
    this.#operation = item.task.operation;
    this.#count += 1;
    this.#bytes += bytesOf(item);
  }
}

const bytesOf = ({ body }: Ready): number => Buffer.byteLength(JSON.stringify(body)) + 1;

/** The parts in which items are done, in the order of the items. */
export function partsOf(read: readonly ReadItem[]): (readonly ReadItem[])[] {
  const parts: Part[] = [];
  for (const item of read) {
    const last = parts.at(-1);
    const part = last?.takes(item) ? last : new Part();
    if (part !== last) parts.push(part);
    part.add(item);
  }
  return parts.map(({ items }) => items);
}
