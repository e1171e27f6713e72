import { updateOrganization } from '@dealkeep/core';
import { startDealkeep } from '@dealkeep/testing';
import { afterAll, beforeAll, expect, inject, onTestFinished, test } from 'vitest';
import { tarballPath } from '../../scripts/tarball-path.ts';
import { Api } from './api.ts';
import { hooksOf } from './hooks-of.ts';
import { insertContacts } from './insert-contacts.ts';
import { N8nDriver } from './n8n-driver.ts';
import { type N8nServer, startN8n } from './n8n-server.ts';
import { N8nSession } from './n8n-session.ts';
import { startTroubledProxy } from './troubled-proxy.ts';
import { triggerNode } from './workflow-node.ts';

const { installation } = inject('n8n');
let server: N8nServer;
let n8n: N8nDriver;

beforeAll(async () => {
  server = await startN8n({ installation, tarball: await tarballPath() });
  n8n = new N8nDriver(await N8nSession.setUp(server, installation));
});
afterAll(() => server.stop());

test('a restart of n8n calls nothing, and one that has moved to another address moves its subscription', async () => {
  const { api, credential, proxy } = await dealkeepBehindProxy();
  const trigger = triggerNode({ events: ['lead.created'], options: { catchUp: true } }, credential);
  const workflow = await n8n.createWorkflow([trigger]);
  await n8n.publish(workflow);
  const [before] = await hooksOf(api, trigger.webhookId);

  proxy.next([]);
  const moved = `${server.origin.replace('127.0.0.1', 'localhost')}/`;
  await server.restart({ WEBHOOK_URL: moved, N8N_WEBHOOK_URL: moved });
  expect(proxy.seen()).toEqual([]);
  expect(await hooksOf(api, trigger.webhookId)).toEqual([before]);
  const first = await api.create('/leads', { name: 'To the old address' });
  expect((await n8n.nextExecution(workflow)).output('Dealkeep Trigger')).toMatchObject([{ id: first }]);

  await n8n.unpublish(workflow);
  await n8n.publish(workflow);
  const after = await hooksOf(api, trigger.webhookId);
  expect(after.map(({ url }) => url)).toEqual([before?.url.replace(`${server.origin}/`, moved)]);
  const second = await api.create('/leads', { name: 'To the new address' });
  expect((await n8n.nextExecution(workflow, 2)).output('Dealkeep Trigger')).toMatchObject([{ id: second }]);
  await n8n.unpublish(workflow);
  expect(await hooksOf(api, trigger.webhookId)).toEqual([]);
});

test('what was caught up with before n8n was killed does not come again', async () => {
  const { api, credential, dealkeep, proxy } = await dealkeepBehindProxy();
  const trigger = triggerNode({ events: ['contact.created'], options: { catchUp: true } }, credential);
  const workflow = await n8n.createWorkflow([trigger]);
  await n8n.publish(workflow);
  await n8n.unpublish(workflow);
  const missed = await insertContacts(dealkeep, api, 1100);
  // The subscription is made and nine pages are read; then nothing more comes.
  proxy.next([...Array.from({ length: 11 }, () => 'pass' as const), 'hang']);
  await n8n.publish(workflow);
  await n8n.nextExecution(workflow, 8);
  await server.kill();
  await n8n.nextExecution(workflow, 11);
  const brought = (await n8n.executions(workflow)).flatMap((each) => each.output('Dealkeep Trigger'));
  expect(brought.map(({ id }) => id)).toEqual(missed);
  await n8n.unpublish(workflow);
});

/** An organization whose API n8n reaches through a proxy. */
async function dealkeepBehindProxy() {
  const dealkeep = await startDealkeep();
  const { key, slug } = await dealkeep.createOrganization();
  await updateOrganization(dealkeep.sql, slug, {
    requestsPerMinute: 1_000_000,
    orgRequestsPerMinute: 1_000_000,
  });
  const proxy = await startTroubledProxy(dealkeep.origin);
  onTestFinished(() => proxy.stop());
  const credential = await n8n.createCredential(`${proxy.origin}/api/v1/public`, key);
  return { api: new Api(dealkeep.baseUrl, key), credential, dealkeep, proxy };
}
