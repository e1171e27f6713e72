import { at } from './json.ts';

export interface Execution {
  id: string;
  /** `success`, `error`, … */
  status: string;
  /** What the nodes gave out, by name of the node. */
  output(node: string): Record<string, unknown>[];
  /** The items with everything that n8n keeps beside their JSON. */
  items(node: string): unknown[];
  /** What a node failed with. */
  error(node: string): { message: string; description: string; itemIndex: unknown } | undefined;
}

/** @param data of an execution, as n8n keeps it */
export function readExecution(id: string, status: string, data: unknown): Execution {
  const runs = (node: string): unknown[] => {
    const found = at(data, 'resultData', 'runData', node);
    return Array.isArray(found) ? found : [];
  };
  const items = (node: string): unknown[] =>
    runs(node).flatMap((run) => {
      const outputs = at(run, 'data', 'main');
      return Array.isArray(outputs) ? outputs.flat().filter((item) => item !== null) : [];
    });
  return {
    id,
    status,
    items,
    output: (node) => items(node).map((item) => Object(at(item, 'json'))),
    error: (node) => {
      const error = runs(node)
        .map((run) => at(run, 'error'))
        .find((each) => each !== undefined);
      return error === undefined
        ? undefined
        : {
            message: String(at(error, 'message')),
            description: String(at(error, 'description')),
            itemIndex: at(error, 'context', 'itemIndex'),
          };
    },
  };
}
