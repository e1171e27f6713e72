import { randomUUID } from 'node:crypto';
import { startDealkeep, type TestDealkeep } from '@dealkeep/testing';
import { beforeAll, beforeEach, describe, expect, onTestFinished } from 'vitest';
import { createContacts } from './create-contacts.ts';
import type { Execution } from './execution.ts';
import { hooksOf } from './hooks-of.ts';
import { at, listAt, textAt } from './json.ts';
import { N8nDriver } from './n8n-driver.ts';
import { triggerTest } from './trigger-test.ts';
import { startTroubledProxy } from './troubled-proxy.ts';
import { waitFor } from './wait-for.ts';
import { type Credential, triggerNode } from './workflow-node.ts';

const limit = 30_000;
/** The fewer are read at once, where much else runs, the more executions there are to wait for. */
const patience = { timeout: 400_000 };
const day = 24 * 3600_000;

describe('Catch Up of the trigger in n8n (rule n8n 20)', () => {
  const n8n = new N8nDriver();
  let dealkeep: TestDealkeep;
  /** How far the clock of Dealkeep is behind n8n's. */
  let behind = 0;

  beforeAll(async () => {
    dealkeep = await startDealkeep({ clock: { now: () => new Date(Date.now() - behind) } });
  });
  beforeEach(() => {
    behind = 0;
  });
  const catchesUp = (parameters: Record<string, unknown>, credential: Credential) =>
    triggerNode({ options: { catchUp: true }, ...parameters }, credential);
  const test = triggerTest(() => dealkeep, catchesUp).extend(
    'absent',
    ({ published }) =>
      async (parameters: Record<string, unknown>) => {
        const made = await published(parameters);
        await n8n.unpublish(made.workflow);
        return made;
      },
  );
  const received = (execution: Execution) => execution.output('Dealkeep Trigger');
  const happened = (execution: Execution) =>
    received(execution).map((item) => [item['event_type'], item['id']]);
  const allReceived = async (workflow: { id: string }) => (await n8n.executions(workflow)).flatMap(received);
  /** In the order in which they came, once there are so many. */
  const receivedIds = async (workflow: { id: string }, count: number) =>
    waitFor(`${count} events`, limit, async () => {
      const ids = (await allReceived(workflow)).map(({ id }) => id);
      return ids.length >= count ? ids : undefined;
    });

  test('brings what happened while the trigger was renamed, once, and leaves one subscription (rule n8n 30)', async ({
    api,
    credential,
  }) => {
    const trigger = { ...catchesUp({ events: ['company.created'] }, credential), id: randomUUID() };
    const workflow = await n8n.createWorkflow([trigger]);
    await n8n.publish(workflow);
    const known = await api.create('/companies', { name: 'Known before' });
    expect(happened(await n8n.nextExecution(workflow))).toEqual([['company.created', known]]);
    await n8n.unpublish(workflow);
    const missed = await api.create('/companies', { name: 'Missed' });
    const renamed = await n8n.updateWorkflow(workflow, [{ ...trigger, name: 'New companies' }]);
    await n8n.publish(renamed);
    const live = await api.create('/companies', { name: 'Live' });
    const execution = await n8n.nextExecution(workflow, 2);
    expect(execution.output('New companies').map(({ id }) => id)).toEqual([missed, live]);
    expect(await hooksOf(api)).toHaveLength(1);
    await n8n.unpublish(renamed);
    expect(await hooksOf(api)).toEqual([]);
  });

  test('brings everything that happened, whatever its kind, in the order of the feed and in one execution', async ({
    api,
    published,
  }) => {
    const { workflow } = await published({ events: ['*'] });
    const known = await api.create('/companies', { name: 'Known before' });
    expect(happened(await n8n.nextExecution(workflow))).toEqual([['company.created', known]]);
    await n8n.unpublish(workflow);
    const before = listAt(await api.call('GET', '/events'), 'data').length;

    await api.call('PATCH', `/companies/${known}`, { note: 'Changed meanwhile' });
    await api.create('/contacts', { company_id: known, name: 'Eva' });
    const stages = listAt(await api.call('GET', '/pipelines'), 'data', 0, 'stages');
    const won = stages.find((stage) => at(stage, 'kind') === 'won');
    const lead = await api.create('/leads', { name: 'Won meanwhile', company: { name: 'Made along' } });
    await api.call('POST', `/leads/${lead}/move`, { stage_id: textAt(won, 'id') });
    const type = textAt(await api.call('GET', '/activity-types'), 'data', 0, 'id');
    const activity = await api.create('/activities', { name: 'Call', type_id: type, start_at: new Date() });
    await api.call('POST', `/activities/${activity}/complete`, {});
    const feed = listAt(await api.call('GET', '/events'), 'data').slice(before);
    await n8n.publish(workflow);
    const first = await api.create('/companies', { name: 'First after it' });

    const execution = await n8n.nextExecution(workflow, 2);
    expect(
      received(execution)
        .map((item) => item['event_id'])
        .slice(0, -1),
    ).toEqual(feed.map((event) => at(event, 'id')));
    expect(received(execution).at(-1)).toMatchObject({ event_type: 'company.created', id: first });
    expect(received(execution).map((item) => item['event_type'])).toEqual([
      'company.updated',
      'contact.created',
      'company.created',
      'lead.created',
      'lead.stage_changed',
      'lead.won',
      'activity.created',
      'activity.completed',
      'company.created',
    ]);
    expect(received(execution)[0]).toMatchObject({
      id: known,
      changed_fields: ['note'],
      previous: { note: null },
    });

    // What it brought is not brought again, and what happens now comes at once.
    await n8n.unpublish(workflow);
    await n8n.publish(workflow);
    const live = await api.create('/companies', { name: 'Live again' });
    expect(happened(await n8n.nextExecution(workflow, 3))).toEqual([['company.created', live]]);
    await n8n.unpublish(workflow);
    expect(await n8n.executionIds(workflow)).toHaveLength(3);
  });

  test('gives whole envelopes when those are wanted, as the feed has them', async ({ absent, api }) => {
    const { workflow } = await absent({
      events: ['company.created'],
      options: { catchUp: true, output: 'envelope' },
    });
    await api.create('/companies', { name: 'Missed' });
    const [event] = listAt(await api.call('GET', '/events'), 'data');
    await n8n.publish(workflow);
    const first = await api.create('/companies', { name: 'First after it' });
    expect(received(await n8n.nextExecution(workflow))).toEqual([
      event,
      expect.objectContaining({ test: false }),
    ]);
    expect(received(await n8n.nextExecution(workflow))[1]).toMatchObject({ data: { id: first } });
    await n8n.unpublish(workflow);
  });

  test(
    'brings two thousand in one execution, the rest with the next event, in order; publishing does not wait',
    patience,
    async ({ absent, api }) => {
      const { workflow } = await absent({ events: ['contact.created'] });
      const happenedIn = await createContacts(api, 2050);
      await n8n.publish(workflow);
      expect(await n8n.executionIds(workflow)).toEqual([]);
      let executions: Execution[] = [];
      while (executions.flatMap(received).length < happenedIn.length) {
        happenedIn.push(...(await createContacts(api, 1)));
        await n8n.nextExecution(workflow, executions.length + 1);
        executions = await n8n.executions(workflow);
      }
      expect(executions.flatMap(received).map(({ id }) => id)).toEqual(happenedIn);
      // On a busy machine fewer are read in the time that one delivery has.
      expect(executions.length).toBeGreaterThan(1);
      expect(Math.max(...executions.map((each) => received(each).length))).toBeLessThanOrEqual(2000);
      await n8n.unpublish(workflow);
    },
  );

  test('brings each event once beside live deliveries', async ({ absent, api }) => {
    const { workflow } = await absent({ events: ['company.created', 'contact.created'] });
    const missed = await createContacts(api, 150);
    await n8n.publish(workflow);
    const live: string[] = [];
    for (let number = 1; number <= 30; number += 1) {
      live.push(await api.create('/companies', { name: `Live ${number}` }));
    }
    // The company of the contacts was missed, too.
    const ids = await receivedIds(workflow, 1 + missed.length + live.length);
    await n8n.unpublish(workflow);
    expect(ids).toHaveLength(1 + missed.length + live.length);
    expect(new Set(ids).size).toBe(ids.length);
    expect(ids.filter((id) => missed.includes(String(id)))).toEqual(missed);
    expect(ids).toEqual(expect.arrayContaining(live));
  });

  test('reaches back to the last event that came when the subscription was gone, whatever the clocks say', async ({
    api,
    published,
  }) => {
    behind = 3600_000;
    const { trigger, workflow } = await published({
      events: ['company.created'],
      options: { catchUp: true, verifySignature: false },
    });
    await api.create('/companies', { name: 'Delivered' });
    await n8n.nextExecution(workflow);
    const [hook] = await hooksOf(api, trigger.webhookId);
    await api.call('DELETE', `/webhooks/${hook?.id}`);
    behind -= 1800_000;
    const lost = await api.create('/companies', { name: 'Nobody listened' });
    behind = 0;
    await n8n.unpublish(workflow);
    await n8n.publish(workflow);
    const next = await api.create('/companies', { name: 'Next' });
    expect(happened(await n8n.nextExecution(workflow, 2))).toEqual([
      ['company.created', lost],
      ['company.created', next],
    ]);
    await n8n.unpublish(workflow);
  });

  test('reaches back to the beginning when the next publication fails, and the one after it succeeds', async ({
    api,
    published,
  }) => {
    const proxy = await startTroubledProxy(dealkeep.origin);
    onTestFinished(() => proxy.stop());
    const throughProxy = await n8n.createCredential(`${proxy.origin}/api/v1/public`, api.key);
    const { workflow } = await published({ events: ['company.created'] }, throughProxy);
    await n8n.unpublish(workflow);
    const missed = await api.create('/companies', { name: 'Missed' });
    proxy.cut(true);
    await expect(n8n.publish(workflow)).rejects.toThrow(/could not be reached/);
    proxy.cut(false);
    await n8n.unpublish(workflow);
    await n8n.publish(workflow);
    const next = await api.create('/companies', { name: 'Next' });
    expect(happened(await n8n.nextExecution(workflow))).toEqual([
      ['company.created', missed],
      ['company.created', next],
    ]);
    await n8n.unpublish(workflow);
  });

  test('goes on with the next event when the feed fails, which starts the workflow all the same', async ({
    api,
    published,
  }) => {
    const log = await n8n.newLog();
    const proxy = await startTroubledProxy(dealkeep.origin);
    onTestFinished(() => proxy.stop());
    const throughProxy = await n8n.createCredential(`${proxy.origin}/api/v1/public`, api.key);
    const { workflow } = await published({ events: ['company.created'] }, throughProxy);
    await n8n.unpublish(workflow);
    const missed = await api.create('/companies', { name: 'Missed' });
    await n8n.publish(workflow);
    proxy.cut(true);
    const live = await api.create('/companies', { name: 'Live' });
    const first = await n8n.nextExecution(workflow);
    const second = await api.create('/companies', { name: 'Live, too' });
    await n8n.nextExecution(workflow, 2);
    await expect.poll(log).toContain('cannot catch up now, and tries again with the next event');
    proxy.cut(false);
    const third = await api.create('/companies', { name: 'Brings the rest' });
    const ids = await receivedIds(workflow, 4);
    expect(happened(first)).toEqual([['company.created', live]]);
    expect(ids.toSorted()).toEqual([missed, live, second, third].toSorted());
    expect(ids.indexOf(missed)).toBeLessThan(ids.indexOf(third));
    await n8n.unpublish(workflow);
    expect(await allReceived(workflow)).toHaveLength(4);
  });

  test('brings nothing of events that the workflow had not subscribed to before', async ({ absent, api }) => {
    const { trigger, workflow } = await absent({ events: ['company.created'] });
    const company = await api.create('/companies', { name: 'Missed' });
    await api.create('/contacts', { company_id: company, name: 'Eva' });
    const parameters = { ...trigger.parameters, events: ['contact.created', 'company.created'] };
    const changed = await n8n.updateWorkflow(workflow, [{ ...trigger, parameters }]);
    await n8n.publish(changed);
    const next = await api.create('/contacts', { company_id: company, name: 'Ján' });
    expect(happened(await n8n.nextExecution(changed))).toEqual([
      ['company.created', company],
      ['contact.created', next],
    ]);
    await n8n.unpublish(changed);
  });

  test('brings only what passes the filters, and updates only with a watched field', async ({
    absent,
    api,
  }) => {
    const stages = listAt(await api.call('GET', '/pipelines'), 'data', 0, 'stages');
    const [first, other = ''] = stages.map((stage) => textAt(stage, 'id'));
    const { workflow } = await absent({
      events: ['lead.created,lead.updated,lead.stage_changed'],
      filters: { stageId: [other] },
      leadFieldsToWatch: ['value'],
    });
    await api.create('/leads', { name: 'Elsewhere', stage_id: first });
    const fitting = await api.create('/leads', { name: 'Here', stage_id: other });
    await api.call('PATCH', `/leads/${fitting}`, { note: 'Not watched' });
    await api.call('PATCH', `/leads/${fitting}`, { value: 7 });
    await n8n.publish(workflow);
    const next = await api.create('/leads', { name: 'Next', stage_id: other });
    const execution = await n8n.nextExecution(workflow);
    expect(happened(execution)).toEqual([
      ['lead.created', fitting],
      ['lead.updated', fitting],
      ['lead.created', next],
    ]);
    expect(received(execution)[1]).toMatchObject({ changed_fields: ['value'] });
    await n8n.unpublish(workflow);
  });

  test('is off unless it is wanted: what happened more than a day after unpublishing stays missed', async ({
    absent,
    api,
  }) => {
    behind = 2 * day;
    const { workflow } = await absent({ events: ['company.created'], options: {} });
    await api.create('/companies', { name: 'Missed and not wanted' });
    behind = 0;
    await n8n.publish(workflow);
    const live = await api.create('/companies', { name: 'Live' });
    expect(happened(await n8n.nextExecution(workflow))).toEqual([['company.created', live]]);
    await n8n.unpublish(workflow);
    expect(await n8n.executionIds(workflow)).toHaveLength(1);
  });

  test('says what is missed when the workflow was not published for more than 31 days, and brings what is kept (rule n8n 22)', async ({
    absent,
    api,
  }) => {
    const log = await n8n.newLog();
    behind = 40 * day;
    const { workflow } = await absent({ events: ['company.created'] });
    behind = 20 * day;
    const kept = await api.create('/companies', { name: 'Kept' });
    behind = 0;
    await n8n.publish(workflow);
    const next = await api.create('/companies', { name: 'Next' });
    expect(happened(await n8n.nextExecution(workflow))).toEqual([
      ['company.created', kept],
      ['company.created', next],
    ]);
    await expect
      .poll(log)
      .toMatch(/What happened from \S+ to \S+ is missed: Dealkeep keeps events for 31 days/);
    await n8n.unpublish(workflow);
  });

  test('waits for the next publication when nothing has happened since this one', async ({ absent, api }) => {
    const { workflow } = await absent({ events: ['company.created'] });
    const missed = await api.create('/companies', { name: 'Missed' });
    await n8n.publish(workflow);
    await n8n.unpublish(workflow);
    const missedLater = await api.create('/companies', { name: 'Missed, too' });
    await n8n.publish(workflow);
    const next = await api.create('/companies', { name: 'Next' });
    expect(happened(await n8n.nextExecution(workflow))).toEqual(
      [missed, missedLater, next].map((id) => ['company.created', id]),
    );
    await n8n.unpublish(workflow);
    expect(await n8n.executionIds(workflow)).toHaveLength(1);
  });

  test('brings nothing of before the workflow was published for the first time', async ({ absent, api }) => {
    await api.create('/companies', { name: 'Before' });
    const { workflow } = await absent({ events: ['company.created'] });
    await n8n.publish(workflow);
    const next = await api.create('/companies', { name: 'Next' });
    expect(happened(await n8n.nextExecution(workflow))).toEqual([['company.created', next]]);
    await n8n.unpublish(workflow);
  });
});
