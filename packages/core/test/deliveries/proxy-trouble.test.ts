import { createCore } from '@dealkeep/core';
import { parseOutboundProxy } from '@dealkeep/core/foundations';
import { startDealkeep, startHookReceiver } from '@dealkeep/testing';
import { startWorker } from '@dealkeep/worker';
import { expect, onTestFinished, test } from 'vitest';
import { startProxyServer } from '../outgoing/proxy-server.ts';
import { subscribe } from './subscriber.ts';

/** Whether a webhook counts as failing after an attempt through a proxy that answers so to CONNECT. */
async function failsBehind(status: number): Promise<boolean> {
  const dealkeep = await startDealkeep({ worker: false });
  const { sql, databaseUrl } = dealkeep;
  const outboundProxy = parseOutboundProxy((await startProxyServer(() => status)).url);
  const core = createCore({ ...dealkeep.core, outboundProxy });
  const worker = await startWorker({ core, databaseUrl, concurrency: 4 });
  onTestFinished(() => worker.stop(1000));
  const receiver = await startHookReceiver();
  const { createLead, logged, hookId } = await subscribe(dealkeep, receiver.url);
  await createLead();
  expect(await logged(1)).toMatchObject([{ error: expect.stringContaining('proxy') }]);
  const [webhook] = await sql<{ fails: boolean }[]>`
    select failing_since is not null as fails from webhooks where id = ${hookId}`;
  return webhook?.fails ?? false;
}

test('a proxy that fails does not count against the webhook', async () => {
  expect(await failsBehind(407)).toBe(false);
});

test('a receiver that the proxy cannot reach counts as failing', async () => {
  expect(await failsBehind(502)).toBe(true);
});
