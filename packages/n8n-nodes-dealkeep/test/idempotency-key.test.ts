import { describe, expect, test } from 'vitest';
import { idempotencyKeys } from '../nodes/shared/operations/idempotency-key.ts';

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
  mode: 'trigger',
  flow: {},
};

type Told = Omit<typeof first, 'execution'> & { execution?: string | undefined };

/** The keys of a request, of which n8n says so much. */
const keysOf = (told: Told, together?: number) => {
  const context: unknown = {
    getInstanceId: () => told.instance,
    getWorkflow: () => ({ id: told.workflow }),
    getExecutionId: () => told.execution,
    getNode: () => ({ id: told.node }),
    getWorkflowDataProxy: () => ({ $runIndex: told.run }),
    isToolExecution: () => told.isTool,
    getInputData: () => [{ json: told.input }],
    getMode: () => told.mode,
    getContext: () => told.flow,
  };
  return idempotencyKeys(Object(context), told.item, together);
};
const keyOf = (told: Told, together?: number) => keysOf(told, together).idempotencyKey;

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

describe('an execution that is retried from the list of n8n (rule n8n 10)', () => {
  test('has the keys of the first one, and others for what is made anew', () => {
    const flow = {};
    const key = keyOf({ ...first, flow });
    expect(keysOf({ ...first, flow }).keyAnew).toBeUndefined();
    // n8n gives the retry the data of the failed execution, and a retry of the retry those of it.
    for (const execution of ['8', '9']) {
      const retry = { ...first, flow, mode: 'retry', execution };
      expect(keysOf(retry)).toEqual({
        idempotencyKey: key,
        keyAnew: keyOf({ ...first, execution, flow: {} }),
      });
    }
  });

  test('has its own keys where the first one came from an earlier version, or made nothing', () => {
    const retry = { ...first, flow: {}, mode: 'retry', execution: '8' };
    expect(keysOf(retry)).toEqual({ idempotencyKey: keyOf({ ...first, execution: '8', flow: {} }) });
  });

  test('is not what a test in the editor is that uses the data of the last one', () => {
    const flow = {};
    keyOf({ ...first, flow });
    const test = { ...first, flow, mode: 'manual', execution: '8' };
    expect(keysOf(test)).toEqual({ idempotencyKey: keyOf({ ...first, execution: '8', flow: {} }) });
  });
});
