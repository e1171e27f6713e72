// biome-ignore lint/style/useNodejsImportProtocol: n8n's rules name it without the protocol
import { createHash } from 'crypto';
import type { IExecuteFunctions } from 'n8n-workflow';

/**
 * The same for every repetition of one item's request, also by n8n's "Retry On Fail", and different for everything
 * else: other items, other runs of the node in a loop, other executions, other n8n instances with the same key.
 */
export function idempotencyKey(context: IExecuteFunctions, itemIndex: number): string {
  const parts = [
    context.getInstanceId(),
    context.getWorkflow().id,
    context.getExecutionId(),
    context.getNode().id,
    context.getWorkflowDataProxy(itemIndex).$runIndex,
    itemIndex,
  ];
  return `n8n-${createHash('sha256').update(JSON.stringify(parts)).digest('hex')}`;
}
