import { expect, test } from 'vitest';
import { idempotencyKey } from '../nodes/shared/operations/idempotency-key.ts';

const input = { name: 'Tatra Bikes' };
const first = {
  instance: 'i',
  workflow: 'w',
  execution: '7',
  node: 'n',
  run: 0,
  item: 0,
  isTool: false,
  input,
};

/** The key of a request, of which n8n says so much. */
const keyOf = (
  told: Omit<typeof first, 'execution'> & { execution?: string | undefined },
  together?: number,
) => {
  const context: unknown = {
    getInstanceId: () => told.instance,
    getWorkflow: () => ({ id: told.workflow }),
    getExecutionId: () => told.execution,
    getNode: () => ({ id: told.node }),
    getWorkflowDataProxy: () => ({ $runIndex: told.run }),
    isToolExecution: () => told.isTool,
    getInputData: () => [{ json: told.input }],
  };
  return idempotencyKey(Object(context), told.item, together);
};

test('every repetition of a request has the same key (rule n8n 10)', () => {
  expect(keyOf({ ...first, input: { ...input } })).toBe(keyOf(first));
  expect(keyOf(first)).toMatch(/^[\w-]{1,255}$/);
});

test('a batch has a key of its own, by its first item and its size (rule n8n 10)', () => {
  const batch = (item: number, together: number) => keyOf({ ...first, item }, together);
  expect(batch(0, 100)).toBe(batch(0, 100));
  expect(new Set([keyOf(first), batch(0, 100), batch(0, 50), batch(50, 50)]).size).toBe(4);
});

test.each([
  ['instance of n8n', { instance: 'j' }],
  ['workflow', { workflow: 'x' }],
  ['execution', { execution: '8' }],
  ['node', { node: 'o' }],
  ['run of the node', { run: 1 }],
  ['item', { item: 1 }],
])('another %s has another key (rule n8n 10)', (_, changed) => {
  expect(keyOf({ ...first, ...changed })).not.toBe(keyOf(first));
});

test.each([
  ['inside an execution', '7'],
  ['without one', undefined],
])(
  'as a tool %s each call has a key of its own, also with the same values, and all its tries that key (rule n8n 10)',
  (_, execution) => {
    const call = { ...first, execution, isTool: true, run: 0 };
    const again = { ...call, input: { ...input } };
    expect(keyOf({ ...call, run: 1 })).toBe(keyOf(call));
    expect(keyOf(again)).not.toBe(keyOf(call));
  },
);
