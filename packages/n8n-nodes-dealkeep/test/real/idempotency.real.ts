import { startDealkeep, type TestDealkeep } from '@dealkeep/testing';
import { beforeAll, describe, expect, type TestContext, test } from 'vitest';
import { Api } from './api.ts';
import { listAt } from './json.ts';
import { N8nDriver } from './n8n-driver.ts';
import { startTroubledProxy, type Trouble } from './troubled-proxy.ts';
import { actionNode, manualTrigger } from './workflow-node.ts';

const create = (name: string, additionalFields: Record<string, unknown> = {}) => ({
  resource: 'company',
  operation: 'create',
  name,
  additionalFields,
});
/** More failures than the node repeats by itself, so that n8n runs it again. */
const exhausting = (...troubles: Trouble[]): Trouble[] => [
  ...Array.from({ length: 6 }, (_, index) => troubles[index % troubles.length] ?? 'pass'),
  'pass',
];
const retryOnFail = { retryOnFail: true, maxTries: 2, waitBetweenTries: 10 };

// They wait most of the time.
describe.concurrent('a creation in n8n', () => {
  const n8n = new N8nDriver();
  let dealkeep: TestDealkeep;
  let api: Api;

  beforeAll(async () => {
    dealkeep = await startDealkeep({ worker: false });
    api = new Api(dealkeep.baseUrl, (await dealkeep.createOrganization()).key);
  });

  /** A way to Dealkeep with some troubles on it. */
  const way = async ({ onTestFinished }: TestContext, troubles: readonly Trouble[]) => {
    const proxy = await startTroubledProxy(dealkeep.origin);
    onTestFinished(() => proxy.stop());
    proxy.next(troubles);
    const credential = await n8n.createCredential(`${proxy.origin}/api/v1/public`, api.key);
    /** Of the requests that had one. */
    const keys = () => proxy.seen().flatMap(({ idempotencyKey }) => idempotencyKey ?? []);
    return { credential, keys };
  };
  const companiesNamed = async (name: string) =>
    listAt(await api.call('GET', `/companies?q=${encodeURIComponent(name)}`), 'data');

  test('is repeated with the same Idempotency-Key when the service fails, and one record is made', async (context) => {
    // The record is made, but the answer is lost.
    const { credential, keys } = await way(context, ['lose the answer', 'answer 503', 'pass']);
    const execution = await n8n.act(create('Made once'), credential);
    expect(execution.status).toBe('success');
    expect(keys()).toHaveLength(3);
    expect(new Set(keys()).size).toBe(1);
    expect(await companiesNamed('Made once')).toHaveLength(1);
  });

  test('makes no second record by Retry On Fail after time-outs of a gateway and cut connections', async (context) => {
    const { credential, keys } = await way(context, exhausting('time out', 'lose the answer'));
    const execution = await n8n.act(create('Tried again'), credential, { settings: retryOnFail });
    expect(execution.status).toBe('success');
    expect(keys()).toHaveLength(7);
    expect(new Set(keys()).size).toBe(1);
    expect(await companiesNamed('Tried again')).toHaveLength(1);
  });

  test('of "create or update" makes no second record by Retry On Fail either', async (context) => {
    const { credential, keys } = await way(context, exhausting('lose the answer'));
    const upsert = { ...create('Either'), operation: 'upsert', matchBy: 'name' };
    const execution = await n8n.act(upsert, credential, { settings: retryOnFail });
    expect(execution.status).toBe('success');
    expect(keys()).toHaveLength(7);
    expect(new Set(keys()).size).toBe(1);
    expect(await companiesNamed('Either')).toHaveLength(1);
  });

  test('whose values differ on the next try is refused with what to look for, and makes no second record', async (context) => {
    const { credential } = await way(context, exhausting('lose the answer'));
    const changing = create('Changing', { note: '={{ $now.toMillis() }}' });
    const execution = await n8n.act(changing, credential, { settings: retryOnFail });
    expect(execution.error('Dealkeep')?.description).toContain('look for the record before you run');
    expect(await companiesNamed('Changing')).toHaveLength(1);
  });

  test('with the same values is another one for each item, round of a loop, node and execution', async (context) => {
    const { credential } = await way(context, []);
    const loop = { type: 'n8n-nodes-base.splitInBatches', typeVersion: 3, parameters: { options: {} } };
    const to = (node: string) => [{ node, type: 'main', index: 0 }];
    const workflow = await n8n.createWorkflow(
      [
        manualTrigger,
        { name: 'Loop', ...loop },
        actionNode(create('Same'), credential, 'In the loop'),
        actionNode(create('Same'), credential, 'After the loop'),
      ],
      {
        pinData: { Start: [{ json: {} }, { json: {} }] },
        connections: {
          Start: { main: [to('Loop')] },
          Loop: { main: [to('After the loop'), to('In the loop')] },
          'In the loop': { main: [to('Loop')] },
        },
      },
    );
    for (const made of [4, 8]) {
      const execution = await n8n.execution((await n8n.run(workflow, 'Start')) ?? '');
      expect(execution.status).toBe('success');
      expect(await companiesNamed('Same')).toHaveLength(made);
    }
  });
});
