import { createHash, randomUUID } from 'node:crypto';
import type { IExecuteFunctions } from 'n8n-workflow';

type ExecutionContext = Pick<
  IExecuteFunctions,
  | 'getContext'
  | 'getExecutionId'
  | 'getInputData'
  | 'getInstanceId'
  | 'getMode'
  | 'getNode'
  | 'getWorkflow'
  | 'getWorkflowDataProxy'
  | 'isToolExecution'
>;

/** The keys of a request. */
export interface IdempotencyKeys {
  /**
   * The same for every repetition of one item's request, also by n8n's "Retry On Fail" and when a failed execution
   * is retried from n8n's list, and different for everything else: other items, other runs of the node in a loop,
   * other executions, other n8n instances with the same key.
   */
  readonly idempotencyKey: string;
  /**
   * In an execution that is a retry: the key with which the request is made anew. What failed may succeed now, and
   * what the workflow does otherwise by now is another request.
   */
  readonly keyAnew?: string;
}

/** @param together of a batch that begins with the item: how many items it has */
export function idempotencyKeys(
  context: ExecutionContext,
  itemIndex: number,
  together?: number,
): IdempotencyKeys {
  // n8n's types promise one, but a tool that is called by MCP runs outside of every execution.
  const execution: string | undefined = context.getExecutionId();
  const isCall = context.isToolExecution() || execution === undefined;
  const keyIn = (of: string | undefined): string => {
    const parts = [
      context.getInstanceId(),
      context.getWorkflow().id,
      of,
      context.getNode().id,
      isCall ? toolCall(context) : context.getWorkflowDataProxy(itemIndex).$runIndex,
      itemIndex,
      ...(together === undefined ? [] : ['batch', together]),
    ];
    return `n8n-${createHash('sha256').update(JSON.stringify(parts)).digest('hex')}`;
  };
  const first = isCall ? execution : firstExecution(context, execution);
  return { idempotencyKey: keyIn(first), ...(first === execution ? {} : { keyAnew: keyIn(execution) }) };
}

/** Where it is written which execution was the first. */
const firstPlace = 'dealkeepFirstExecution';

/**
 * The execution that this one retries, or retries a retry of; else this one. A retry has an id of its own, but n8n
 * gives it the data of the failed execution, and with them the context of its flow.
 */
function firstExecution(context: ExecutionContext, execution: string): string {
  const flow = context.getContext('flow');
  const first = flow[firstPlace];
  if (context.getMode() === 'retry' && typeof first === 'string') return first;
  flow[firstPlace] = execution;
  return execution;
}

const toolCalls = new WeakMap<object, string>();

/**
 * Names one call of the node as a tool. Without an execution each is the first run, within one n8n counts each try
 * as a run of its own; but all tries of a call are given the same object as input, and no other call is.
 */
function toolCall(context: ExecutionContext): string {
  const input = context.getInputData()[0]?.json ?? {};
  const name = toolCalls.get(input) ?? randomUUID();
  toolCalls.set(input, name);
  return name;
}
