import { at, textAt } from './json.ts';

export interface Execution {
  id: string;
  /** `success`, `error`, … */
  status: string;
  startedAt: Date;
  stoppedAt: Date;
  /** What the nodes gave out, by name of the node. */
  output(node: string): Record<string, unknown>[];
  /** The items with everything that n8n keeps beside their JSON. */
  items(node: string): unknown[];
  /** What a node failed with. */
  error(node: string): { message: string; description: string; itemIndex: unknown } | undefined;
}

/**
 * @param answer what n8n tells of an execution
 * @param data what its nodes did
 */
export function readExecution(id: string, answer: unknown, data: unknown): Execution {
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
    status: textAt(answer, 'status'),
    // What failed before it could start has only an end.
    startedAt: new Date(textAt(answer, at(answer, 'startedAt') ? 'startedAt' : 'stoppedAt')),
    stoppedAt: new Date(textAt(answer, 'stoppedAt')),
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
