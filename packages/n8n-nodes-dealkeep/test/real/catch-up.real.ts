import { updateOrganization } from '@dealkeep/core';
import { startDealkeep, type TestDealkeep } from '@dealkeep/testing';
import { afterAll, beforeAll, beforeEach, describe, expect, onTestFinished, test } from 'vitest';
import { Api } from './api.ts';
import type { Execution } from './execution.ts';
import { hooksOf } from './hooks-of.ts';
import { insertContacts } from './insert-contacts.ts';
import { at, listAt, textAt } from './json.ts';
import { N8nDriver } from './n8n-driver.ts';
import { deliver } from './signed-delivery.ts';
import { startTroubledProxy } from './troubled-proxy.ts';
import { waitFor } from './wait-for.ts';
import { type Credential, chosen, triggerNode } from './workflow-node.ts';

const second = 1000;
const limit = 30 * second;

describe('Catch Up of the trigger in n8n', () => {
  const n8n = new N8nDriver();
  let dealkeep: TestDealkeep;
  let api: Api;
  let credential: Credential;
  /** How far the clock of Dealkeep is behind n8n's. */
  let behind = 0;

  beforeAll(async () => {
    dealkeep = await startDealkeep({ clock: { now: () => new Date(Date.now() - behind) } });
  });
  // What others have created in the last minute would be caught up with, too.
  beforeEach(async () => {
    behind = 0;
    const { key, slug } = await dealkeep.createOrganization();
    await updateOrganization(dealkeep.sql, slug, {
      requestsPerMinute: 1_000_000,
      orgRequestsPerMinute: 1_000_000,
    });
    api = new Api(dealkeep.baseUrl, key);
    credential = await n8n.createCredential(api.baseUrl, key);
  });
  afterAll(() => dealkeep.stop());

  const published = async (parameters: Record<string, unknown>, use = credential) => {
    const trigger = triggerNode({ options: { catchUp: true }, ...parameters }, use);
    const workflow = await n8n.createWorkflow([trigger]);
    await n8n.publish(workflow);
    return { trigger, workflow };
  };
  /** A workflow that is not published now, and reaches the API through a proxy. */
  const absentBehindProxy = async (event: string) => {
    const proxy = await startTroubledProxy(dealkeep.origin);
    onTestFinished(() => proxy.stop());
    const throughProxy = await n8n.createCredential(`${proxy.origin}/api/v1/public`, api.key);
    const { workflow } = await published({ events: [event] }, throughProxy);
    await n8n.unpublish(workflow);
    return { proxy, workflow };
  };
  const received = (execution: Execution) => execution.output('Dealkeep Trigger');
  const happened = (execution: Execution) =>
    received(execution).map((item) => [item['event_type'], item['id']]);

  test('brings the oldest first, at most 100 in one execution', async () => {
    const { workflow } = await published({ events: ['contact.created'] });
    await n8n.unpublish(workflow);
    const missed = await insertContacts(dealkeep, api, 120);
    await n8n.publish(workflow);
    await n8n.nextExecution(workflow, 2);
    const executions = await n8n.executions(workflow);
    expect(executions.map((each) => received(each).length)).toEqual([100, 20]);
    expect(executions.flatMap(received).map(({ id }) => id)).toEqual(missed);
    const [first, second] = executions;
    expect(second?.startedAt.getTime()).toBeGreaterThanOrEqual(first?.stoppedAt.getTime() ?? Number.NaN);
    await n8n.unpublish(workflow);
  });

  test('finds what was created although the clock of Dealkeep is 50 seconds behind', async () => {
    behind = 50 * second;
    const { workflow } = await published({ events: ['company.created'] });
    await n8n.unpublish(workflow);
    const missed = await api.create('/companies', { name: 'Missed' });
    await n8n.publish(workflow);
    expect(happened(await n8n.nextExecution(workflow))).toEqual([['company.created', missed]]);
    await n8n.unpublish(workflow);
  });

  test('reaches back to the last delivery when the subscription was gone for longer than a minute', async () => {
    // So that what happens now is nearly a minute old.
    behind = 59 * second;
    const { trigger, workflow } = await published({
      events: ['company.created'],
      options: { catchUp: true, verifySignature: false },
    });
    await api.create('/companies', { name: 'Delivered' });
    await n8n.nextExecution(workflow);
    const [hook] = await hooksOf(api, trigger.webhookId);
    await api.call('DELETE', `/webhooks/${hook?.id}`);
    const lost = await api.create('/companies', { name: 'Nobody listened' });
    const end = Date.now() + 2 * second;
    await waitFor('more than a minute to lie between', limit, () => Date.now() > end);
    await n8n.unpublish(workflow);
    await n8n.publish(workflow);
    expect(happened(await n8n.nextExecution(workflow, 2))).toEqual([['company.created', lost]]);
    await n8n.unpublish(workflow);
  });

  test('brings nothing of events that the workflow had not subscribed to before', async () => {
    const { trigger, workflow } = await published({ events: ['company.created'] });
    await n8n.unpublish(workflow);
    const company = await api.create('/companies', { name: 'Missed' });
    await api.create('/contacts', { company_id: company, name: 'Eva' });
    const parameters = { ...trigger.parameters, events: ['contact.created', 'company.created'] };
    const changed = await n8n.updateWorkflow(workflow, [{ ...trigger, parameters }]);
    await n8n.publish(changed);
    expect(happened(await n8n.nextExecution(changed))).toEqual([['company.created', company]]);
    await n8n.unpublish(changed);
  });

  test('brings only leads that pass the filters', async () => {
    const [pipeline] = listAt(await api.call('GET', '/pipelines'), 'data');
    const [first, other] = listAt(pipeline, 'stages').map((stage) => textAt(stage, 'id'));
    const leadFilters = {
      pipelineId: chosen(textAt(pipeline, 'id'), 'list'),
      stageId: chosen(other ?? '', 'list'),
    };
    const { workflow } = await published({ events: ['lead.created'], leadFilters });
    await n8n.unpublish(workflow);
    await api.create('/leads', { name: 'Elsewhere', stage_id: first });
    const fitting = await api.create('/leads', { name: 'Here', stage_id: other });
    await n8n.publish(workflow);
    expect(happened(await n8n.nextExecution(workflow))).toEqual([['lead.created', fitting]]);
    await n8n.unpublish(workflow);
  });

  test('brings updates whatever has changed, and no record that was created and never updated', async () => {
    const known = await api.create('/companies', { name: 'Known' });
    const { workflow } = await published({ events: ['company.updated'], companyFieldsToWatch: ['email'] });
    await n8n.unpublish(workflow);
    await api.create('/companies', { name: 'New' });
    await api.call('PATCH', `/companies/${known}`, { note: 'Not watched' });
    await n8n.publish(workflow);
    const execution = await n8n.nextExecution(workflow);
    expect(happened(execution)).toEqual([['company.updated', known]]);
    expect(received(execution)).toMatchObject([{ changed_fields: [] }]);
    await n8n.unpublish(workflow);
  });

  test('is not repeated by a delivery of what it brought', async () => {
    const { trigger, workflow } = await published({ events: ['company.created'] });
    await n8n.unpublish(workflow);
    const missed = await api.create('/companies', { name: 'Missed' });
    await n8n.publish(workflow);
    expect(happened(await n8n.nextExecution(workflow))).toEqual([['company.created', missed]]);
    const [hook] = await hooksOf(api, trigger.webhookId);
    if (!hook) throw new Error('Nothing is subscribed');
    const { data } = Object(await api.call('GET', `/companies/${missed}`));
    const event = { id: 'evt_late', type: 'company.created', timestamp: data.created_at, data };
    expect(await deliver(dealkeep, hook, event.id, JSON.stringify(event))).toBe(200);
    const live = await api.create('/companies', { name: 'Live' });
    expect(happened(await n8n.nextExecution(workflow, 2))).toEqual([['company.created', live]]);
    await n8n.unpublish(workflow);
    expect(await n8n.executionIds(workflow)).toHaveLength(2);
  });

  test('waits for n8n to try again when the subscription was refused at first', async () => {
    const { proxy, workflow } = await absentBehindProxy('company.created');
    const missed = await api.create('/companies', { name: 'Missed' });
    // As often as the node asks by itself while a person waits.
    proxy.next(['answer 503', 'answer 503', 'answer 503']);
    await n8n.publish(workflow);
    expect(happened(await n8n.nextExecution(workflow))).toEqual([['company.created', missed]]);
    await n8n.unpublish(workflow);
  });

  test('goes on when n8n tries again after it has failed', async () => {
    const { proxy, workflow } = await absentBehindProxy('company.created');
    const before = await api.create('/companies', { name: 'Read before the failure' });
    const after = await api.create('/companies', { name: 'Read after it' });
    // The subscription is made, the list and one company are read; then nothing for longer than the node repeats.
    const troubles = Array.from({ length: 6 }, () => 'answer 503' as const);
    proxy.next(['pass', 'pass', 'pass', 'pass', ...troubles]);
    await n8n.publish(workflow);
    const all = await n8n.nextExecution(workflow);
    expect(happened(all)).toEqual([
      ['company.created', before],
      ['company.created', after],
    ]);
    expect(await hooksOf(api)).toHaveLength(1);
    await n8n.unpublish(workflow);
    expect(await n8n.executionIds(workflow)).toHaveLength(1);
  });

  test('brings nothing twice when n8n tries again, also when much was missed', async () => {
    const { proxy, workflow } = await absentBehindProxy('contact.created');
    const missed = await insertContacts(dealkeep, api, 1100);
    // Eight pages are read; then nothing for longer than the node repeats.
    const pages = Array.from({ length: 10 }, () => 'pass' as const);
    proxy.next([...pages, ...Array.from({ length: 6 }, () => 'answer 503' as const)]);
    await n8n.publish(workflow);
    await n8n.nextExecution(workflow, 11);
    const ids = (await n8n.executions(workflow)).flatMap(received).map(({ id }) => id);
    expect(ids).toEqual(missed);
    await n8n.unpublish(workflow);
  });

  test('loses nothing when n8n cannot start the workflow', async () => {
    const { trigger, workflow } = await published({ events: ['company.created'] });
    await n8n.unpublish(workflow);
    const missed = await api.create('/companies', { name: 'Missed' });
    // n8n's next engine refuses a trigger that waits for the end of what it starts.
    const nextEngine = await n8n.updateWorkflow(workflow, [trigger], { engineType: 'v2' });
    await expect(n8n.publish(nextEngine)).rejects.toThrow(/Engine 2\.0 cannot run a trigger that waits/);
    await n8n.unpublish(workflow);
    const again = await n8n.updateWorkflow(nextEngine, [trigger], { engineType: 'v1' });
    await n8n.publish(again);
    expect(happened(await n8n.nextExecution(again))).toEqual([['company.created', missed]]);
    await n8n.unpublish(again);
  });

  test('goes on after the publication when it takes long', async () => {
    const { proxy, workflow } = await absentBehindProxy('company.created');
    const missed = await api.create('/companies', { name: 'Missed' });
    proxy.next(['pass', 'pass', { retryAfter: 35 }]);
    await n8n.publish(workflow);
    expect(await n8n.executionIds(workflow)).toEqual([]);
    const live = await api.create('/companies', { name: 'Live meanwhile' });
    expect(happened(await n8n.nextExecution(workflow))).toEqual([['company.created', live]]);
    expect(happened(await n8n.nextExecution(workflow, 2))).toEqual([['company.created', missed]]);
    // By itself, after the subscription, the list, the list once more, and the company: n8n has published nothing anew.
    expect(proxy.seen()).toHaveLength(5);
    await n8n.unpublish(workflow);
    await n8n.publish(workflow);
    await n8n.unpublish(workflow);
    expect(await n8n.executionIds(workflow)).toHaveLength(2);
  });

  test('ends when the workflow is unpublished, and the next publication brings the rest', async () => {
    const { proxy, workflow } = await absentBehindProxy('company.created');
    const missed = await api.create('/companies', { name: 'Missed' });
    proxy.next(['pass', 'pass', { retryAfter: 35 }]);
    const refused = Date.now();
    await n8n.publish(workflow);
    await n8n.unpublish(workflow);
    await waitFor('the first catching up to ask again', limit, () =>
      proxy.seen().some(({ at }) => at > refused + 34 * second),
    );
    expect(await n8n.executionIds(workflow)).toEqual([]);
    await n8n.publish(workflow);
    expect(happened(await n8n.nextExecution(workflow))).toEqual([['company.created', missed]]);
    await n8n.unpublish(workflow);
    expect(await n8n.executionIds(workflow)).toHaveLength(1);
  });

  test('brings companies as their events do, with what their list does not show', async () => {
    const { workflow } = await published({ events: ['company.created'] });
    const live = await api.create('/companies', { name: 'Live' });
    const [delivered] = received(await n8n.nextExecution(workflow));
    expect(at(delivered, 'id')).toBe(live);
    await n8n.unpublish(workflow);
    await api.create('/companies', { name: 'Missed' });
    await n8n.publish(workflow);
    const [caughtUp] = received(await n8n.nextExecution(workflow, 2));
    expect(Object.keys(caughtUp ?? {}).toSorted()).toEqual(Object.keys(delivered ?? {}).toSorted());
    await n8n.unpublish(workflow);
  });
});
