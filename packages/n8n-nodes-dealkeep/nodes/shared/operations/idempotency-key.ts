import { createHash, randomUUID } from 'node:crypto';
import type { IExecuteFunctions } from 'n8n-workflow';

type ExecutionContext = Pick<
  IExecuteFunctions,
  | 'getExecutionId'
  | 'getInputData'
  | 'getInstanceId'
  | 'getNode'
  | 'getWorkflow'
  | 'getWorkflowDataProxy'
  | 'isToolExecution'
>;

/**
 * The same for every repetition of one item's request, also by n8n's "Retry On Fail", and different for everything
 * else: other items, other runs of the node in a loop, other executions, other n8n instances with the same key.
 *
 * @param together of a batch that begins with the item: how many items it has
 */
export function idempotencyKey(context: ExecutionContext, itemIndex: number, together?: number): string {
  // n8n's types promise one, but a tool that is called by MCP runs outside of every execution.
  const execution: string | undefined = context.getExecutionId();
  const parts = [
    context.getInstanceId(),
    context.getWorkflow().id,
    execution,
    context.getNode().id,
    context.isToolExecution() || execution === undefined
      ? toolCall(context)
      : context.getWorkflowDataProxy(itemIndex).$runIndex,
    itemIndex,
    ...(together === undefined ? [] : ['batch', together]),
  ];
  return `n8n-${createHash('sha256').update(JSON.stringify(parts)).digest('hex')}`;
}

const toolCalls = new WeakMap<object, string>();

/**
 * Names one call of the node as a tool. Without an execution each is the first run, within one n8n counts each try as a
 * run of its own; but all tries of a call are given the same object as input, and no other call is.
 */
function toolCall(context: ExecutionContext): string {
  const input = context.getInputData()[0]?.json ?? {};
  const name = toolCalls.get(input) ?? randomUUID();
  toolCalls.set(input, name);
  return name;
}
