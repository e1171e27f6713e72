import { type INode, type INodeExecutionData, NodeApiError, NodeOperationError } from 'n8n-workflow';
import { ApiFailure, ParameterProblem } from './failure.ts';

/** A failure as n8n shows it: message, what to do about it, and the input item where there are items. */
export function nodeError(
  node: INode,
  error: unknown,
  itemIndex?: number,
): NodeApiError | NodeOperationError {
  const item = itemIndex === undefined ? {} : { itemIndex };
  if (error instanceof ApiFailure) {
    const { message, description, status, code } = error;
    return new NodeApiError(
      node,
      { message, ...(code === undefined ? {} : { code }) },
      {
        message,
        ...(description === undefined ? {} : { description }),
        ...(status === undefined ? {} : { httpCode: String(status) }),
        ...item,
      },
    );
  }
  if (error instanceof NodeApiError || error instanceof NodeOperationError) return error;
  const description = error instanceof ParameterProblem ? error.description : undefined;
  return new NodeOperationError(node, error instanceof Error ? error : String(error), {
    ...(description === undefined ? {} : { description }),
    ...item,
  });
}

/** What Continue On Fail gives out for an item that failed; the item is named as n8n's editor names it. */
export function failedItem(failure: NodeApiError | NodeOperationError, item: number): INodeExecutionData {
  // n8n gives out the message of the error, whatever stands in the JSON.
  failure.message = `${failure.message} [item ${item}]`;
  return { json: { error: failure.message }, error: failure, pairedItem: { item } };
}
