import { startDealkeep, type TestDealkeep } from '@dealkeep/testing';
import { beforeAll, describe, expect, type TestContext, test } from 'vitest';
import { N8nDriver } from './n8n-driver.ts';
import { startTroubledProxy, type Trouble } from './troubled-proxy.ts';

const create = { resource: 'company', operation: 'create', name: '={{ $json.name }}', additionalFields: {} };
const items = (...names: string[]) => names.map((name) => ({ name }));

// They wait most of the time.
describe.concurrent('at the rate limit, the node in n8n', () => {
  const n8n = new N8nDriver();
  let dealkeep: TestDealkeep;
  let key: string;

  beforeAll(async () => {
    dealkeep = await startDealkeep({ worker: false });
    ({ key } = await dealkeep.createOrganization());
  });

  /** A way to Dealkeep with some troubles on it, and what was seen there. */
  const way = async ({ onTestFinished }: TestContext, troubles: readonly Trouble[]) => {
    const proxy = await startTroubledProxy(dealkeep.origin);
    onTestFinished(() => proxy.stop());
    proxy.next(troubles);
    const credential = await n8n.createCredential(`${proxy.origin}/api/v1/public`, key);
    /** Milliseconds from each request to the next. */
    const pauses = () => proxy.seen().flatMap(({ at }, index, all) => (all[index + 1]?.at ?? at) - at || []);
    return { credential, pauses, seen: proxy.seen };
  };

  test('waits as long as Retry-After says when it is refused, then goes on in order (rule n8n 11)', async (context) => {
    const { credential, pauses, seen } = await way(context, [{ retryAfter: 7 }]);
    const settings = { name: 'Refused' };
    const execution = await n8n.act(create, credential, { items: items('Waited', 'After'), settings });
    expect(execution.output('Refused').map(({ name }) => name)).toEqual(['Waited', 'After']);
    expect(pauses()[0]).toBeGreaterThanOrEqual(7000);
    // Once: what the refusal says of the window is over by then.
    expect((await n8n.log()).split('Refused has done')).toHaveLength(2);
    const [refused, repeated, other] = seen();
    expect(repeated?.idempotencyKey).toBe(refused?.idempotencyKey);
    expect(other?.idempotencyKey).not.toBe(repeated?.idempotencyKey);
  });

  test('is as patient with a failure as ever, however often it was refused before', async (context) => {
    const refusals = Array.from({ length: 6 }, () => ({ retryAfter: 1 }));
    const { credential, seen } = await way(context, [...refusals, 'answer 503']);
    const execution = await n8n.act(create, credential, { items: items('At last') });
    expect(execution.output('Dealkeep')).toMatchObject([{ name: 'At last' }]);
    expect(seen()).toHaveLength(8);
  });

  test('slows down before it is refused, and says so in the log', async (context) => {
    const { credential, pauses } = await way(context, [{ left: 1, reset: 4 }]);
    const name = 'Careful';
    const execution = await n8n.act(create, credential, {
      items: items('Last but one', 'Last', 'In the next window'),
      settings: { name },
    });
    expect(execution.output(name)).toHaveLength(3);
    expect(pauses()[0]).toBeGreaterThanOrEqual(2000);
    const reason = 'the rate limit is nearly used up';
    await context.expect
      .poll(() => n8n.log())
      .toContain(`${name} has done 1 of 3 items and waits 2 s: ${reason}`);
    // In the next window it waits for nothing: every wait is said at its beginning.
    expect((await n8n.log()).split(`${name} has done`)).toHaveLength(2);
  });

  test('asks a failing service six times in all, then says that it is not available (rule n8n 11)', async (context) => {
    const { credential, seen } = await way(
      context,
      Array.from({ length: 9 }, () => 'time out' as const),
    );
    const execution = await n8n.act(create, credential, { items: items('Never told') });
    expect(execution.error('Dealkeep')?.message).toBe('Dealkeep is not available (HTTP status 504)');
    expect(seen()).toHaveLength(6);
  });
});
