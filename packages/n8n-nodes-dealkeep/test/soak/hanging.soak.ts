import { startDealkeep } from '@dealkeep/testing';
import { expect, test } from 'vitest';
import { Api } from '../real/api.ts';
import { listAt } from '../real/json.ts';
import { N8nDriver } from '../real/n8n-driver.ts';
import { startTroubledProxy } from '../real/troubled-proxy.ts';

const minute = 60_000;

test('when Dealkeep writes but never answers, the node and Retry On Fail make no second record', async () => {
  const n8n = new N8nDriver();
  const dealkeep = await startDealkeep({ worker: false });
  const api = new Api(dealkeep.baseUrl, (await dealkeep.createOrganization()).key);
  const proxy = await startTroubledProxy(dealkeep.origin);
  try {
    const credential = await n8n.createCredential(`${proxy.origin}/api/v1/public`, api.key);
    // As often as the node asks by itself, so that n8n runs it again.
    proxy.next([...Array.from({ length: 6 }, () => 'hang' as const), 'pass']);
    const execution = await n8n.act(
      { resource: 'company', operation: 'create', name: 'Hung', additionalFields: {} },
      credential,
      { settings: { retryOnFail: true, maxTries: 2, waitBetweenTries: 10 }, patience: 10 * minute },
    );
    expect(execution.status).toBe('success');
    const seen = proxy.seen();
    const waits = seen.slice(1).map(({ at }, index) => at - (seen[index]?.at ?? 0));
    console.log(`asked again after ${waits.map((each) => Math.round(each / 1000)).join(', ')} s`);
    expect(waits).toHaveLength(6);
    for (const wait of waits) expect(wait).toBeGreaterThanOrEqual(minute);
    expect(new Set(seen.map(({ idempotencyKey }) => idempotencyKey)).size).toBe(1);
    expect(listAt(await api.call('GET', '/companies?q=Hung'), 'data')).toHaveLength(1);
  } finally {
    await proxy.stop();
  }
});
