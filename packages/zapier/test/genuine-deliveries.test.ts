import { sampleEnvelope } from '@dealkeep/contract';
import { Webhook } from 'standardwebhooks';
import { afterAll, expect, test } from 'vitest';
import { apiKey } from '../src/index.ts';
import { builtIntegration } from './platform/built-integration.ts';
import { startInProcess } from './platform/platform.ts';

// In all its forms, and as the service sends it: promises/deliveries.ts.

const platform = await startInProcess(builtIntegration(apiKey), { reports: true });
afterAll(platform.close);

const secret = 'whsec_Y29ycmVjdCBob3JzZSBiYXR0ZXJ5IHN0YXBsZSE=';
const otherSecret = 'whsec_YW5vdGhlciBzZWNyZXQsIGZvciByb3RhdGlvbiE=';
const envelope = sampleEnvelope('lead.created', {
  id: '0198a000-0000-7000-8000-000000000001',
  slug: 'tatra',
});
const content = JSON.stringify(envelope);

/** What the delivery starts that was signed by this secret, long ago. */
const runsOf = (signedBy: string) => {
  const at = new Date('2020-01-01T00:00:00Z');
  return platform.run('triggers.lead_created.operation.perform', {
    authData: { base_url: 'http://127.0.0.1:9/api/v1/public', api_key: 'dk_live_x' },
    inputData: {},
    subscribeData: { id: 'hook', secret },
    targetUrl: 'https://hooks.zapier.example/1',
    rawRequest: {
      method: 'POST',
      content,
      headers: {
        'Http-Webhook-Id': envelope.id,
        'Http-Webhook-Timestamp': String(at.getTime() / 1000),
        'Http-Webhook-Signature': new Webhook(signedBy).sign(envelope.id, at, content),
      },
    },
    meta: {},
  });
};

test('a delivery whose signature does not match gives no run and a line in the log; its age does not matter (rule zapier 9)', async () => {
  const line = 'A delivery was ignored: its signature does not match this Zap.';
  expect(await runsOf(secret)).toMatchObject([{ event_id: envelope.id, event_type: 'lead.created' }]);
  expect(platform.log.text()).not.toContain(line);
  expect(await runsOf(otherSecret)).toEqual([]);
  await expect.poll(() => platform.log.text()).toContain(line);
});
