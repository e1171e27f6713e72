import type { IExecuteFunctions } from 'n8n-workflow';

/**
 * Whether an AI agent calls the node as a tool. `isToolExecution` says so only where the agent itself runs it;
 * agents since version 3 let n8n run it like any other node, of the type that n8n derives for tools.
 */
export const isTool = (context: Pick<IExecuteFunctions, 'getNode' | 'isToolExecution'>): boolean =>
  context.isToolExecution() || context.getNode().type.endsWith('Tool');
