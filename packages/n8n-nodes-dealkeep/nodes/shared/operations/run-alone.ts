import type { IExecuteFunctions } from 'n8n-workflow';
import type { JsonRecord } from '../record.ts';
import type { DealkeepApi } from '../transport/request.ts';
import { runOperation } from './run-operation.ts';

/** An item for which there is nothing to give out, and why. */
export interface Failed {
  readonly item: number;
  readonly error: unknown;
}

/** What became of one input item. */
export type Outcome = { readonly item: number; readonly records: readonly JsonRecord[] } | Failed;

/** Does for one item what the node is set to, by requests of its own. */
export async function runAlone(context: IExecuteFunctions, api: DealkeepApi, item: number): Promise<Outcome> {
  try {
    return { item, records: await runOperation(context, api, item) };
  } catch (error) {
    return { item, error };
  }
}
