import {
  ExecutionCancelledError,
  type IRun,
  type ITriggerFunctions,
  sleep,
  UnexpectedError,
} from 'n8n-workflow';
import { nodeError } from '../node-error.ts';
import type { JsonRecord } from '../record.ts';

/** An execution that takes longer, because it waits for somebody perhaps, does not keep the next one waiting. */
const longestTurn = 60_000;

/**
 * Runs the workflow, and waits for its end: n8n itself runs executions side by side, and may begin with the smaller.
 *
 * @throws when n8n could not start it
 */
export async function runInTurn(context: ITriggerFunctions, items: JsonRecord[]): Promise<void> {
  const turn = context.helpers.createDeferredPromise<IRun>();
  context.emit([context.helpers.returnJsonArray(items)], undefined, turn);
  try {
    await Promise.race([turn.promise, sleep(longestTurn)]);
  } catch (error) {
    // It was started: somebody has stopped it, or it was over before n8n could wait for it.
    if (error instanceof ExecutionCancelledError || error instanceof UnexpectedError) return;
    throw nodeError(context.getNode(), error);
  }
}
