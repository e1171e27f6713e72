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
import { type Credential, pollNode } from './workflow-node.ts';

const day = 24 * 3600_000;
/** n8n asks every minute. */
const nextPoll = 90_000;

describe('the poll trigger in n8n (rule n8n 21)', () => {
  const n8n = new N8nDriver();
  const name = 'Dealkeep Poll Trigger';
  let dealkeep: TestDealkeep;
  /** How far the clock of Dealkeep is ahead. */
  let ahead = 0;

  beforeAll(async () => {
    dealkeep = await startDealkeep({ clock: { now: () => new Date(Date.now() + ahead) } });
  });
  beforeEach(() => {
    ahead = 0;
  });
  const test = triggerTest(() => dealkeep, pollNode);

  /**
   * Publishing asks at once, so nobody waits for the next minute; and no poll comes in the middle of what happens.
   */
  const whileUnpublished = async <Happened>(
    workflow: { id: string; versionId: string },
    happen: () => Promise<Happened>,
  ): Promise<Happened> => {
    await n8n.unpublish(workflow);
    const happened = await happen();
    await n8n.publish(workflow);
    return happened;
  };
  const publishedAgain = async (workflow: { id: string; versionId: string }) => {
    await n8n.unpublish(workflow);
    await n8n.publish(workflow);
  };
  const happened = (execution: Execution) =>
    execution.output(name).map((item) => [item['event_type'], item['id']]);

  test('begins now, needs no subscription, and starts the workflow within a minute with what happens', async ({
    api,
    published,
  }) => {
    await api.create('/companies', { name: 'Before' });
    const { workflow } = await published({ events: ['company.created'] });
    expect(await hooksOf(api)).toEqual([]);
    const id = await api.create('/companies', { name: 'After' });
    await waitFor('the next poll', nextPoll, async () => (await n8n.executionIds(workflow)).length > 0);
    const execution = await n8n.nextExecution(workflow);
    const { data } = Object(await api.call('GET', `/companies/${id}`));
    expect(execution.output(name)).toEqual([
      {
        ...data,
        event_id: expect.stringMatching(/^evt_/),
        event_type: 'company.created',
        event_timestamp: expect.any(String),
      },
    ]);
    await n8n.unpublish(workflow);
  });

  test('catches up with everything that happened while the workflow was not published, once and in order', async ({
    api,
    published,
  }) => {
    const { workflow } = await published({ events: ['*'], options: { output: 'envelope' } });
    await n8n.unpublish(workflow);
    const company = await api.create('/companies', { name: 'Missed' });
    await api.call('PATCH', `/companies/${company}`, { note: 'Changed' });
    const stages = listAt(await api.call('GET', '/pipelines'), 'data', 0, 'stages');
    const lost = stages.find((stage) => at(stage, 'kind') === 'lost');
    const lead = await api.create('/leads', { name: 'Lost meanwhile' });
    await api.call('POST', `/leads/${lead}/move`, { stage_id: textAt(lost, 'id') });
    const feed = listAt(await api.call('GET', '/events'), 'data');
    await n8n.publish(workflow);
    expect((await n8n.nextExecution(workflow)).output(name)).toEqual(feed);

    await publishedAgain(workflow);
    const live = await api.create('/companies', { name: 'Live' });
    await publishedAgain(workflow);
    expect((await n8n.nextExecution(workflow, 2)).output(name)).toMatchObject([{ data: { id: live } }]);
    await n8n.unpublish(workflow);
    expect(await n8n.executionIds(workflow)).toHaveLength(2);
  });

  test('goes on where it was when it is renamed while the workflow is not published (rule n8n 30)', async ({
    api,
    credential,
  }) => {
    const trigger = { ...pollNode({ events: ['company.created'] }, credential), id: randomUUID() };
    const workflow = await n8n.createWorkflow([trigger]);
    await n8n.publish(workflow);
    const first = await whileUnpublished(workflow, () => api.create('/companies', { name: 'First' }));
    expect(happened(await n8n.nextExecution(workflow))).toEqual([['company.created', first]]);

    await n8n.unpublish(workflow);
    const missed = await api.create('/companies', { name: 'Missed' });
    const renamed = await n8n.updateWorkflow(workflow, [{ ...trigger, name: 'New companies' }]);
    await n8n.publish(renamed);
    const execution = await n8n.nextExecution(workflow, 2);
    expect(execution.output('New companies').map(({ id }) => id)).toEqual([missed]);
    await n8n.unpublish(renamed);
  });

  test('takes a thousand events in one execution, and the rest with the next poll', async ({
    api,
    published,
  }) => {
    const { workflow } = await published({ events: ['contact.created'] });
    const missed = await whileUnpublished(workflow, () => createContacts(api, 1100));
    await n8n.nextExecution(workflow);
    await publishedAgain(workflow);
    await n8n.nextExecution(workflow, 2);
    await n8n.unpublish(workflow);
    const executions = await n8n.executions(workflow);
    expect(executions.map((each) => each.output(name).length)).toEqual([1000, 100]);
    expect(executions.flatMap((each) => each.output(name)).map(({ id }) => id)).toEqual(missed);
  });

  test('starts only for what passes the filters, and for updates only with a watched field', async ({
    api,
    published,
  }) => {
    const stages = listAt(await api.call('GET', '/pipelines'), 'data', 0, 'stages');
    const [first, second = '', third = ''] = stages.map((stage) => textAt(stage, 'id'));
    const { workflow } = await published({
      events: ['lead.created,lead.updated,lead.stage_changed', 'lead.stage_changed'],
      filters: { stageId: [second, third] },
      leadFieldsToWatch: ['value'],
    });
    const [lead, other] = await whileUnpublished(workflow, async () => {
      const moved = await api.create('/leads', { name: 'Elsewhere', stage_id: first });
      await api.call('POST', `/leads/${moved}/move`, { stage_id: second });
      await api.call('PATCH', `/leads/${moved}`, { note: 'Not watched' });
      await api.call('PATCH', `/leads/${moved}`, { value: 7 });
      return [moved, await api.create('/leads', { name: 'Here', stage_id: third })];
    });
    const execution = await n8n.nextExecution(workflow);
    expect(happened(execution)).toEqual([
      ['lead.stage_changed', lead],
      ['lead.updated', lead],
      ['lead.created', other],
    ]);
    expect(execution.output(name)[1]).toMatchObject({ changed_fields: ['value'], previous: { value: null } });
    await n8n.unpublish(workflow);
  });

  test('starts once for a lead that one request changes and moves, as what is created or updated', async ({
    api,
    published,
  }) => {
    const stages = listAt(await api.call('GET', '/pipelines'), 'data', 0, 'stages');
    const [first, second] = stages.map((stage) => textAt(stage, 'id'));
    const { workflow } = await published({
      events: ['lead.created,lead.updated,lead.stage_changed'],
      leadFieldsToWatch: ['value', 'stage'],
    });
    const lead = await whileUnpublished(workflow, async () => {
      const id = await api.create('/leads', { name: 'New', stage_id: first });
      await api.call('PATCH', `/leads/${id}`, { value: 7, stage_id: second });
      await api.call('PATCH', `/leads/${id}`, { note: 'Not watched' });
      await api.call('PATCH', `/leads/${id}`, { value: 8 });
      return id;
    });
    const execution = await n8n.nextExecution(workflow);
    expect(happened(execution)).toEqual([
      ['lead.created', lead],
      ['lead.stage_changed', lead],
      ['lead.updated', lead],
    ]);
    expect(execution.output(name)[1]).toMatchObject({
      value: 7,
      previous: { value: null, stage: { id: first } },
    });
    await n8n.unpublish(workflow);
  });

  test('goes on where it was with other events, without what was not chosen before', async ({
    api,
    published,
  }) => {
    const { trigger, workflow } = await published({ events: ['company.created'] });
    const company = await api.create('/companies', { name: 'Chosen from the beginning' });
    await publishedAgain(workflow);
    expect(happened(await n8n.nextExecution(workflow))).toEqual([['company.created', company]]);
    await n8n.unpublish(workflow);
    const parameters = { ...trigger.parameters, events: ['company.created', 'contact.created'] };
    const changed = await n8n.updateWorkflow(workflow, [{ ...trigger, parameters }]);
    const contact = await api.create('/contacts', { company_id: company, name: 'Eva' });
    await n8n.publish(changed);
    expect(happened(await n8n.nextExecution(changed, 2))).toEqual([['contact.created', contact]]);
    await n8n.unpublish(changed);
  });

  test('shows the newest events in a test, whose reading the published workflow does not notice', async ({
    api,
    published,
  }) => {
    const { workflow } = await published({ events: ['company.created', 'contact.created'] });
    const tested = await whileUnpublished(workflow, async () => {
      const company = await api.create('/companies', { name: 'Newest but one' });
      const contact = await api.create('/contacts', { company_id: company, name: 'Newest' });
      const shown = await n8n.execution((await n8n.run(workflow, name)) ?? '');
      expect(happened(shown)).toEqual([
        ['company.created', company],
        ['contact.created', contact],
      ]);
      return shown;
    });
    expect(happened(await n8n.nextExecution(workflow, 2))).toEqual(happened(tested));
    await n8n.unpublish(workflow);
  });

  test('says in a test that nothing of what is chosen has happened', async ({ credential }) => {
    const workflow = await n8n.createWorkflow([pollNode({ events: ['lead.won'] }, credential)]);
    const id = await n8n.run(workflow, name);
    expect((await n8n.execution(id ?? '')).error(name)?.message).toBe(
      'Nothing that is chosen has happened in the last 31 days',
    );
  });

  test('says what was missed when the last poll is more than 31 days ago, and goes on with what is kept (rule n8n 22)', async ({
    api,
    published,
  }) => {
    const { workflow } = await published({ events: ['company.created'] });
    await n8n.unpublish(workflow);
    await api.create('/companies', { name: 'Missed' });
    ahead = 20 * day;
    const kept = await api.create('/companies', { name: 'Kept' });
    ahead = 40 * day;
    await n8n.publish(workflow);
    await n8n.nextExecution(workflow, 2);
    const executions = await n8n.executions(workflow);
    expect(executions.flatMap(happened)).toEqual([['company.created', kept]]);
    expect(executions.map((each) => each.error(name)?.message)).toContainEqual(
      expect.stringMatching(/^What happened from \S+ to \S+ is missed: Dealkeep keeps events for 31 days/),
    );
    const next = await api.create('/companies', { name: 'From now on' });
    await publishedAgain(workflow);
    expect(happened(await n8n.nextExecution(workflow, 3))).toEqual([['company.created', next]]);
    await n8n.unpublish(workflow);
  });

  test('loses nothing while Dealkeep cannot be reached, and says so', async ({ api, published }) => {
    const proxy = await startTroubledProxy(dealkeep.origin);
    onTestFinished(() => proxy.stop());
    const throughProxy = await n8n.createCredential(`${proxy.origin}/api/v1/public`, api.key);
    const { workflow } = await published({ events: ['company.created'] }, throughProxy);
    await n8n.unpublish(workflow);
    const missed = await api.create('/companies', { name: 'Missed' });
    proxy.cut(true);
    await expect(n8n.publish(workflow)).rejects.toThrow(/could not be reached/);
    proxy.cut(false);
    await publishedAgain(workflow);
    expect(happened(await n8n.nextExecution(workflow))).toEqual([['company.created', missed]]);
    await n8n.unpublish(workflow);
  });

  /** What n8n says when it refuses to publish; it tries several times before. */
  const refusal = async (parameters: Record<string, unknown>, credential: Credential) => {
    const workflow = await n8n.createWorkflow([pollNode(parameters, credential)]);
    const refused: unknown = await n8n.publish(workflow).catch((error: unknown) => error);
    return String(at(refused, 'message')).replaceAll('\\', '');
  };
  test('publishing says which filter has a value that was deleted', async ({ credential }) => {
    const stranger = '01985f6e-2c41-7d3a-9b52-4f0c8a7e1d63';
    const message = await refusal({ events: ['lead.won'], filters: { ownerId: [stranger] } }, credential);
    expect(message).toContain(`Filters → Owner: "${stranger}" is not in Dealkeep`);
  });

  test('publishing says which event may not be read', async ({ api }) => {
    const { createKey } = await dealkeep.createOrganization();
    const { token } = await createKey({ scopes: ['leads:read'] });
    const poor = await n8n.createCredential(api.baseUrl, token);
    expect(await refusal({ events: ['lead.created', 'order.created'] }, poor)).toMatch(
      /Events → Order Created: .*orders:read/,
    );
  });
});
