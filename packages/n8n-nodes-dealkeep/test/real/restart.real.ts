import { startDealkeep } from '@dealkeep/testing';
import { afterAll, beforeAll, expect, inject, onTestFinished, test } from 'vitest';
import { tarballPath } from '../../scripts/tarball-path.ts';
import { Api } from './api.ts';
import { createContacts } from './create-contacts.ts';
import { hooksOf } from './hooks-of.ts';
import { N8nDriver } from './n8n-driver.ts';
import { type N8nServer, startN8n } from './n8n-server.ts';
import { N8nSession } from './n8n-session.ts';
import { deliver } from './signed-delivery.ts';
import { startTroubledProxy } from './troubled-proxy.ts';
import { waitFor } from './wait-for.ts';
import { pollNode, triggerNode } from './workflow-node.ts';

const { installation } = inject('n8n');
/** Each starts n8n anew, which may take up to three minutes where much else runs. */
const patience = { timeout: 400_000 };
let server: N8nServer;
let n8n: N8nDriver;

beforeAll(async () => {
  server = await startN8n({ installation, tarball: await tarballPath() });
  n8n = new N8nDriver(await N8nSession.setUp(server, installation));
}, patience.timeout);
afterAll(() => server.stop());

test(
  'a restart of n8n calls nothing, and one that has moved to another address moves its subscription',
  patience,
  async () => {
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
  },
);

test(
  'a trigger that n8n was killed under while it caught up goes on with the next event, and nothing comes twice',
  patience,
  async () => {
    const { api, credential } = await dealkeepBehindProxy();
    const trigger = triggerNode({ events: ['contact.created'], options: { catchUp: true } }, credential);
    const workflow = await n8n.createWorkflow([trigger]);
    await n8n.publish(workflow);
    await n8n.unpublish(workflow);
    const happened = await createContacts(api, 2100);
    await n8n.publish(workflow);
    happened.push(...(await createContacts(api, 1)));
    await n8n.nextExecution(workflow, 1);
    await server.kill();
    const brought = async () =>
      (await n8n.executions(workflow)).flatMap((each) => each.output('Dealkeep Trigger')).map(({ id }) => id);
    for (let count = 2; (await brought()).length < happened.length; count += 1) {
      happened.push(...(await createContacts(api, 1)));
      await n8n.nextExecution(workflow, count);
    }
    expect(await brought()).toEqual(happened);
    await n8n.unpublish(workflow);
  },
);

test('a delivery that comes again after n8n was killed starts nothing (rule n8n 17)', patience, async () => {
  const { api, credential, dealkeep } = await dealkeepBehindProxy();
  const trigger = triggerNode({ events: ['company.created'] }, credential);
  const workflow = await n8n.createWorkflow([trigger]);
  await n8n.publish(workflow);
  const [hook] = await hooksOf(api, trigger.webhookId);
  if (!hook) throw new Error('Nothing was subscribed');
  const company = { id: '01985f6e-2c41-7d3a-9b52-4f0c8a7e1d63', name: 'Tatra Bikes' };
  const again = () => {
    const event = { id: 'evt_again', type: 'company.created', timestamp: new Date(), data: company };
    return deliver(dealkeep, hook, event.id, JSON.stringify(event));
  };
  expect(await again()).toBe(200);
  await n8n.nextExecution(workflow);
  await server.kill();
  expect(await again()).toBe(200);
  const live = await api.create('/companies', { name: 'Live' });
  const next = await n8n.nextExecution(workflow, 2);
  expect(next.output('Dealkeep Trigger')).toMatchObject([{ id: live }]);
  await n8n.unpublish(workflow);
  expect(await n8n.executionIds(workflow)).toHaveLength(2);
});

test('a poll trigger goes on where it was after n8n was killed', patience, async () => {
  const { api, credential } = await dealkeepBehindProxy();
  const workflow = await n8n.createWorkflow([pollNode({ events: ['contact.created'] }, credential)]);
  await n8n.publish(workflow);
  const ids = await createContacts(api, 3);
  // A poll can come between two contacts.
  const brought = async () =>
    (await n8n.executions(workflow))
      .flatMap((each) => each.output('Dealkeep Poll Trigger'))
      .map(({ id }) => id);
  const allBrought = async () => (await brought()).length >= ids.length;
  await waitFor('the next poll', 90_000, allBrought);
  await server.kill();
  ids.push(...(await createContacts(api, 2)));
  await waitFor('a poll after the start', 90_000, allBrought);
  expect(await brought()).toEqual(ids);
  await n8n.unpublish(workflow);
});

/** An organization whose API n8n reaches through a proxy. */
async function dealkeepBehindProxy() {
  const dealkeep = await startDealkeep();
  const { key } = await dealkeep.createOrganization();
  const proxy = await startTroubledProxy(dealkeep.origin);
  onTestFinished(() => proxy.stop());
  const credential = await n8n.createCredential(`${proxy.origin}/api/v1/public`, key);
  return { api: new Api(dealkeep.baseUrl, key), credential, dealkeep, proxy };
}
