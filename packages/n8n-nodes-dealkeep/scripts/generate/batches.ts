import { limits, type OperationDeclaration, type OperationId, operations } from '@dealkeep/contract';
import type { BatchTable } from '../../nodes/shared/tables.ts';
import type { Property } from './property.ts';

/** How an operation is done with many records at once, where the API has a batch that does it. */
export function batchOf(id: OperationId): BatchTable | undefined {
  for (const { path, batches = {} } of Object.values<OperationDeclaration>(operations)) {
    const [operation] = Object.entries(batches).find(([, each]) => each === id) ?? [];
    if (operation !== undefined) return { path, operation };
  }
  return undefined;
}

/** Batches save nothing where all items count as one request anyway. */
export const fewItems = limits.itemsPerRequest;

export const batchOption: Property = {
  displayName: 'Send in Batches',
  name: 'sendInBatches',
  type: 'boolean',
  default: true,
  description: `Whether to send more than ${fewItems} items in batches of ${limits.batchItems}, which is many times faster. Each item still has its own result and its own error. When off, each item is a request of its own.`,
};
