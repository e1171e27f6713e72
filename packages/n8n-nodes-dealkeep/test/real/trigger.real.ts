import { type StoppableDealkeep, startDealkeep } from '@dealkeep/testing';
import { afterAll, beforeAll, describe, expect, test } from 'vitest';
import { Api } from './api.ts';
import { hooksOf } from './hooks-of.ts';
import { at, listAt, textAt } from './json.ts';
import { N8nDriver } from './n8n-driver.ts';
import { recordDeliveries } from './recorded-deliveries.ts';
import { waitFor } from './wait-for.ts';
import { actionNode, type Credential, triggerNode } from './workflow-node.ts';

const limit = 20_000;

describe('the trigger in n8n', () => {
  const n8n = new N8nDriver();
  let dealkeep: StoppableDealkeep;
  let api: Api;
  let credential: Credential;

  beforeAll(async () => {
    dealkeep = await startDealkeep();
    const { key } = await dealkeep.createOrganization();
    api = new Api(dealkeep.baseUrl, key);
    credential = await n8n.createCredential(api.baseUrl, key);
  });

  afterAll(() => dealkeep.stop());

  test('a published workflow starts with a new lead, and its action changes Dealkeep', async () => {
    const trigger = triggerNode({ events: ['lead.created'] }, credential);
    const workflow = await n8n.createWorkflow([
      trigger,
      actionNode(
        {
          resource: 'company',
          operation: 'create',
          name: '=Made for {{ $json.name }}',
          additionalFields: { note: '={{ $json.id }}' },
        },
        credential,
      ),
    ]);
    await n8n.publish(workflow);
    const id = await api.create('/leads', { name: 'Fleet of 20 city bikes', value: 18500 });

    const execution = await n8n.nextExecution(workflow);
    expect(execution.status).toBe('success');
    const [received] = execution.output('Dealkeep Trigger');
    const { data: lead } = Object(await api.call('GET', `/leads/${id}`));
    expect(received).toEqual({
      ...lead,
      event_id: expect.stringMatching(/^evt_/),
      event_type: 'lead.created',
      event_timestamp: expect.any(String),
    });
    const [made] = execution.output('Dealkeep');
    const company = await api.call('GET', `/companies/${textAt(made, 'id')}`);
    expect(company).toMatchObject({ data: { name: 'Made for Fleet of 20 city bikes', note: id } });

    const webhookId = trigger.webhookId ?? '';
    expect(await hooksOf(api, webhookId)).toHaveLength(1);
    await n8n.unpublish(workflow);
    expect(await hooksOf(api, webhookId)).toEqual([]);
  });

  test('a tampered, unsigned or foreign delivery is answered 401 and starts nothing (rule n8n 16)', async () => {
    const trigger = triggerNode({ events: ['company.created'] }, credential);
    const workflow = await n8n.createWorkflow([trigger]);
    await n8n.publish(workflow);
    const recorded = await recordDeliveries(api, ['company.created']);
    await api.create('/companies', { name: 'Signed' });
    const genuine = await n8n.nextExecution(workflow);
    expect(genuine.output('Dealkeep Trigger')).toMatchObject([{ name: 'Signed' }]);

    const [hook] = await hooksOf(api, trigger.webhookId);
    const target = hook?.url ?? '';
    const foreign = await recorded.next();
    const send = (headers: Record<string, string>, body: string) =>
      fetch(target, { method: 'POST', headers: { 'content-type': 'application/json', ...headers }, body });
    // Signed by Dealkeep, but with the secret of another hook.
    expect((await send(foreign.headers, foreign.body)).status).toBe(401);
    expect((await send(foreign.headers, foreign.body.replace('Signed', 'Forged'))).status).toBe(401);
    expect((await send({}, foreign.body)).status).toBe(401);
    await n8n.unpublish(workflow);
    expect(await n8n.executionIds(workflow)).toEqual([genuine.id]);
    await recorded.stop();
  });

  test('the same delivery twice starts the workflow once, also at the same moment (rules n8n 17 and 18)', async () => {
    const relay = await recordDeliveries(api, []);
    const trigger = triggerNode({ events: ['company.created'] }, credential);
    const workflow = await n8n.createWorkflow([trigger]);
    await n8n.publish(workflow);
    const [hook] = await hooksOf(api, trigger.webhookId);
    // The hook's deliveries go to the recorder instead, which can then repeat them as a network would.
    const { sql } = dealkeep;
    await sql`update webhooks set target_url = ${relay.url} where id = ${hook?.id ?? ''}`;
    await api.create('/companies', { name: 'Once' });
    const { headers, body } = await relay.next();
    const send = async () => {
      const answer = await fetch(hook?.url ?? '', { method: 'POST', headers, body });
      return `${answer.status} ${await answer.text()}`;
    };
    const answers = await Promise.all([send(), send(), send()]);
    // The log of deliveries shows these texts.
    expect(answers.toSorted()).toEqual([
      '200 Received before',
      '200 Received before',
      '200 Started the workflow',
    ]);
    await n8n.nextExecution(workflow);
    expect(await send()).toBe('200 Received before');

    const tampered = await fetch(hook?.url ?? '', {
      method: 'POST',
      headers,
      body: body.replace('Once', 'Twice'),
    });
    expect(tampered.status).toBe(401);
    await n8n.unpublish(workflow);
    expect(await n8n.executionIds(workflow)).toHaveLength(1);
    await relay.stop();
  });

  test('publishing again with other events leaves one hook, with the new events (rules connectors 9 and n8n 15)', async () => {
    const trigger = triggerNode({ events: ['lead.created'] }, credential);
    const workflow = await n8n.createWorkflow([trigger]);
    await n8n.publish(workflow);
    const webhookId = trigger.webhookId ?? '';
    const [before] = await hooksOf(api, webhookId);

    const changed = await n8n.updateWorkflow(workflow, [
      { ...trigger, parameters: { events: ['contact.created', 'company.updated'] } },
    ]);
    await n8n.publish(changed);
    const after = await waitFor('the changed hook', limit, async () => {
      const found = await hooksOf(api, webhookId);
      return found.length === 1 && found[0]?.events.includes('contact.created') ? found : undefined;
    });
    expect(after[0]?.id).toBe(before?.id);
    expect([...(after[0]?.events ?? [])].sort()).toEqual(['company.updated', 'contact.created']);
    const company = await api.create('/companies', { name: 'Before' });
    await api.create('/contacts', { company_id: company, name: 'Eva' });
    const execution = await n8n.nextExecution(changed);
    expect(execution.output('Dealkeep Trigger')).toMatchObject([
      { event_type: 'contact.created', name: 'Eva' },
    ]);
    await n8n.unpublish(changed);
  });

  test('updates start the workflow only when a watched field changed', async () => {
    const trigger = triggerNode({ events: ['company.updated'], companyFieldsToWatch: ['email'] }, credential);
    const workflow = await n8n.createWorkflow([trigger]);
    await n8n.publish(workflow);
    const id = await api.create('/companies', { name: 'Watched' });
    await api.call('PATCH', `/companies/${id}`, { note: 'not watched' });
    await api.call('PATCH', `/companies/${id}`, { email: 'new@watched.example' });
    const execution = await n8n.nextExecution(workflow);
    expect(execution.output('Dealkeep Trigger')).toMatchObject([
      { email: 'new@watched.example', changed_fields: ['email'] },
    ]);
    await n8n.unpublish(workflow);
    expect(await n8n.executionIds(workflow)).toHaveLength(1);
  });

  test('leads start the workflow only in the chosen stages; the envelope comes whole when asked for', async () => {
    const [pipeline] = listAt(await api.call('GET', '/pipelines'), 'data');
    const [first = '', second = '', third = ''] = listAt(pipeline, 'stages').map((stage) =>
      textAt(stage, 'id'),
    );
    const trigger = triggerNode(
      {
        events: ['lead.stage_changed'],
        filters: { pipelineId: [textAt(pipeline, 'id')], stageId: [second, third] },
        options: { output: 'envelope' },
      },
      credential,
    );
    const workflow = await n8n.createWorkflow([trigger]);
    await n8n.publish(workflow);
    const lead = await api.create('/leads', { name: 'Moving', stage_id: first });
    await api.call('POST', `/leads/${lead}/move`, { stage_id: second });
    const execution = await n8n.nextExecution(workflow);
    const [envelope] = execution.output('Dealkeep Trigger');
    expect(envelope).toMatchObject({
      type: 'lead.stage_changed',
      test: false,
      data: { id: lead, stage: { id: second } },
      previous: { stage: { id: first } },
    });
    await api.call('POST', `/leads/${lead}/move`, { stage_id: first });
    await api.call('POST', `/leads/${lead}/move`, { stage_id: third });
    const next = await n8n.nextExecution(workflow, 2);
    expect(next.output('Dealkeep Trigger')).toMatchObject([{ data: { stage: { id: third } } }]);
    // What was filtered out was never sent: the log of deliveries does not know it.
    const [hook] = await hooksOf(api, trigger.webhookId);
    await expect
      .poll(async () => listAt(await api.call('GET', `/webhooks/${hook?.id}/deliveries`), 'data'))
      .toHaveLength(2);
    await n8n.unpublish(workflow);
    expect(await n8n.executionIds(workflow)).toHaveLength(2);
  });

  test('publishing again with other filters or other fields leaves one hook, which has them (rule n8n 15)', async () => {
    const [owner = ''] = listAt(await api.call('GET', '/users'), 'data').map((user) => textAt(user, 'id'));
    const trigger = triggerNode({ events: ['company.created,company.updated'] }, credential);
    let workflow = await n8n.createWorkflow([trigger]);
    await n8n.publish(workflow);
    const wants = async () => {
      const [hook, ...others] = listAt(await api.call('GET', '/webhooks'), 'data').filter((each) =>
        textAt(each, 'target_url').includes(trigger.webhookId ?? ''),
      );
      expect(others).toEqual([]);
      return [at(hook, 'filters'), at(hook, 'changed_fields')];
    };
    expect(await wants()).toEqual([undefined, undefined]);
    for (const [more, expected] of [
      [{ filters: { ownerId: [owner] } }, [{ owner_id: [owner] }, undefined]],
      [
        { filters: { ownerId: [owner] }, companyFieldsToWatch: ['email'] },
        [{ owner_id: [owner] }, ['email']],
      ],
      [{}, [undefined, undefined]],
    ] as const) {
      const parameters = { ...trigger.parameters, ...more };
      workflow = await n8n.updateWorkflow(workflow, [{ ...trigger, parameters }]);
      await n8n.publish(workflow);
      await expect.poll(wants).toEqual(expected);
    }
    await n8n.unpublish(workflow);
  });

  test('a new record starts a workflow for what is created or updated, an update only with a watched field', async () => {
    const trigger = triggerNode(
      { events: ['company.created,company.updated'], companyFieldsToWatch: ['email'] },
      credential,
    );
    const workflow = await n8n.createWorkflow([trigger]);
    await n8n.publish(workflow);
    const id = await api.create('/companies', { name: 'New', email: 'old@new.example' });
    // Two deliveries at once start two executions in any order.
    await n8n.nextExecution(workflow);
    await api.call('PATCH', `/companies/${id}`, { note: 'not watched' });
    await api.call('PATCH', `/companies/${id}`, { email: 'new@new.example' });
    await n8n.nextExecution(workflow, 2);
    const received = (await n8n.executions(workflow)).flatMap((each) => each.output('Dealkeep Trigger'));
    expect(received).toMatchObject([
      { event_type: 'company.created', id },
      {
        event_type: 'company.updated',
        id,
        changed_fields: ['email'],
        previous: { email: 'old@new.example' },
      },
    ]);
    await n8n.unpublish(workflow);
    expect(await n8n.executionIds(workflow)).toHaveLength(2);
  });

  test('a lead that one request changes and moves starts a workflow for what is created or updated once', async () => {
    const stages = listAt(await api.call('GET', '/pipelines'), 'data', 0, 'stages');
    const [first, second] = stages.map((stage) => textAt(stage, 'id'));
    const trigger = triggerNode({ events: ['lead.created,lead.updated,lead.stage_changed'] }, credential);
    const workflow = await n8n.createWorkflow([trigger]);
    await n8n.publish(workflow);
    const received = async (count: number) =>
      (await n8n.nextExecution(workflow, count)).output('Dealkeep Trigger');
    const id = await api.create('/leads', { name: 'New', stage_id: first });
    expect(await received(1)).toMatchObject([{ event_type: 'lead.created', id }]);
    await api.call('PATCH', `/leads/${id}`, { value: 7, stage_id: second });
    expect(await received(2)).toMatchObject([
      {
        event_type: 'lead.stage_changed',
        value: 7,
        stage: { id: second },
        previous: { value: null, stage: { id: first } },
      },
    ]);
    await api.call('PATCH', `/leads/${id}`, { value: 8 });
    expect(await received(3)).toMatchObject([{ event_type: 'lead.updated', changed_fields: ['value'] }]);
    // Four were delivered: the update that the move tells, too, was answered and started nothing.
    const [hook] = await hooksOf(api, trigger.webhookId);
    await expect
      .poll(async () => listAt(await api.call('GET', `/webhooks/${hook?.id}/deliveries`), 'data'))
      .toHaveLength(4);
    await n8n.unpublish(workflow);
    expect(await n8n.executionIds(workflow)).toHaveLength(3);
  });

  test('all events start a workflow that wants all, and the subscription names every one', async () => {
    const { key } = await dealkeep.createOrganization();
    const own = new Api(dealkeep.baseUrl, key);
    const trigger = triggerNode({ events: ['*'] }, await n8n.createCredential(own.baseUrl, key));
    const workflow = await n8n.createWorkflow([trigger]);
    await n8n.publish(workflow);
    expect((await hooksOf(own))[0]?.events).toHaveLength(45);
    const lead = await own.create('/leads', { name: 'With a company', company: { name: 'Made along' } });
    await n8n.nextExecution(workflow, 2);
    const received = (await n8n.executions(workflow)).flatMap((each) => each.output('Dealkeep Trigger'));
    expect(received.map((item) => item['event_type']).toSorted()).toEqual([
      'company.created',
      'lead.created',
    ]);
    expect(received.map((item) => item['id'])).toContain(lead);
    await n8n.unpublish(workflow);
  });

  test('publishing says which filter has a value that was deleted, and which event lacks a filter (rule n8n 13)', async () => {
    const stranger = '01985f6e-2c41-7d3a-9b52-4f0c8a7e1d63';
    const refusal = async (parameters: Record<string, unknown>) => {
      const workflow = await n8n.createWorkflow([triggerNode(parameters, credential)]);
      const refused: unknown = await n8n.publish(workflow).catch((error: unknown) => error);
      return String(at(refused, 'message'));
    };
    for (const [filter, label] of [
      ['stageId', 'Stage'],
      ['originId', 'Lead Origin'],
      ['tag', 'Tag'],
    ]) {
      const message = await refusal({ events: ['lead.won'], filters: { [String(filter)]: [stranger] } });
      expect(message).toContain(`Filters → ${label}:`);
      expect(message).toContain(stranger);
    }
    const pipeline = textAt(await api.call('GET', '/pipelines'), 'data', 0, 'id');
    expect(
      await refusal({ events: ['lead.won', 'task.moved'], filters: { pipelineId: [pipeline] } }),
    ).toContain('Filters → Pipeline: Task Moved cannot be filtered by it');
    expect(
      await refusal({ events: ['lead.updated', 'company.updated'], leadFieldsToWatch: ['value'] }),
    ).toContain('Fields to Watch: Company Updated has no field value');
  });

  test('testing a published workflow leaves its subscription alone (rule n8n 14)', async () => {
    const trigger = triggerNode({ events: ['company.created'] }, credential);
    const workflow = await n8n.createWorkflow([trigger]);
    await n8n.publish(workflow);
    const webhookId = trigger.webhookId ?? '';
    const [published] = await hooksOf(api, webhookId);
    await n8n.run(workflow, 'Dealkeep Trigger');
    const both = await hooksOf(api, webhookId);
    expect(both.map(({ url }) => url.includes('/webhook-test/')).sort()).toEqual([false, true]);

    await api.create('/companies', { name: 'Both' });
    const ids = await waitFor('both executions', limit, async () => {
      const found = await n8n.executionIds(workflow);
      return found.length === 2 ? found : undefined;
    });
    for (const id of ids) {
      expect((await n8n.execution(id)).output('Dealkeep Trigger')).toMatchObject([{ name: 'Both' }]);
    }
    const left = await waitFor('the test hook to be gone', limit, async () => {
      const found = await hooksOf(api, webhookId);
      return found.length === 1 ? found : undefined;
    });
    expect(left[0]?.id).toBe(published?.id);

    await api.create('/companies', { name: 'Still there' });
    const execution = await n8n.nextExecution(workflow, 3);
    expect(execution.output('Dealkeep Trigger')).toMatchObject([{ name: 'Still there' }]);
    await n8n.unpublish(workflow);
  });

  test('publishing with a key that may not subscribe says what is missing', async () => {
    const { createKey } = await dealkeep.createOrganization();
    const { token } = await createKey({ scopes: ['leads:read'] });
    const poor = await n8n.createCredential(api.baseUrl, token);
    const workflow = await n8n.createWorkflow([triggerNode({ events: ['lead.created'] }, poor)]);
    const refused: unknown = await n8n.publish(workflow).catch((error: unknown) => error);
    expect(String(at(refused, 'message'))).toMatch(/webhooks:manage/);
  });
});
