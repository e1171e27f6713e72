import type { IExecuteFunctions } from 'n8n-workflow';
import { itemsPerRequest } from '../generated/limits.ts';
import { isRecord } from '../record.ts';
import type { DealkeepApi } from '../transport/request.ts';
import { isTool } from './is-tool.ts';
import { type Outcome, runAlone } from './run-alone.ts';
import { runBatches } from './run-batches.ts';

/**
 * Does what the node is set to with every item, and tells of each in their order. Items run one after another, or in
 * batches where there are many and the API has a batch for it.
 */
export function runItems(context: IExecuteFunctions, api: DealkeepApi): AsyncGenerator<Outcome, void, void> {
  const items = context.getInputData().map((_, item) => item);
  return items.length > itemsPerRequest && sendsInBatches(context)
    ? runBatches(context, api, items)
    : runOneByOne(context, api, items);
}

/** Decided once for all items, as a batch holds many. */
function sendsInBatches(context: IExecuteFunctions): boolean {
  const options: unknown = context.getNodeParameter('options', 0, {});
  return !isTool(context) && !(isRecord(options) && options['sendInBatches'] === false);
}

async function* runOneByOne(
  context: IExecuteFunctions,
  api: DealkeepApi,
  items: readonly number[],
): AsyncGenerator<Outcome, void, void> {
  for (const item of items) yield await runAlone(context, api, item);
}
