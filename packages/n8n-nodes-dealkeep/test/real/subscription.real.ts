import { randomUUID } from 'node:crypto';
import { type StoppableDealkeep, startDealkeep } from '@dealkeep/testing';
import { afterAll, beforeAll, describe, expect, type TestContext, test } from 'vitest';
import { Api } from './api.ts';
import { type Hook, hooksOf } from './hooks-of.ts';
import { listAt, textAt } from './json.ts';
import { N8nDriver } from './n8n-driver.ts';
import { deliver } from './signed-delivery.ts';
import { startTroubledProxy } from './troubled-proxy.ts';
import { triggerNode, type WorkflowNode } from './workflow-node.ts';

describe('the subscription of a trigger in n8n', () => {
  const n8n = new N8nDriver();
  const events = ['company.created'];
  let dealkeep: StoppableDealkeep;
  let api: Api;

  beforeAll(async () => {
    dealkeep = await startDealkeep();
    api = new Api(dealkeep.baseUrl, (await dealkeep.createOrganization()).key);
  });
  afterAll(() => dealkeep.stop());

  /** A published workflow that reaches Dealkeep through a proxy; its trigger has a name of its own in the log. */
  const published = async (
    { onTestFinished }: TestContext,
    parameters: Record<string, unknown> = { events },
  ) => {
    const proxy = await startTroubledProxy(dealkeep.origin);
    onTestFinished(() => proxy.stop());
    const credential = await n8n.createCredential(`${proxy.origin}/api/v1/public`, api.key);
    const trigger = { ...triggerNode(parameters, credential), name: `Trigger ${randomUUID().slice(0, 8)}` };
    const workflow = await n8n.createWorkflow([trigger]);
    await n8n.publish(workflow);
    const [hook] = await hooksOf(api, trigger.webhookId);
    if (!hook) throw new Error('Nothing was subscribed');
    /** Unpublishes while Dealkeep cannot be reached, so that n8n remembers a subscription, which stays. */
    const unpublishInTheDark = async () => {
      proxy.cut(true);
      await n8n.unpublish(workflow);
      proxy.cut(false);
    };
    return { trigger, workflow, proxy, hook, unpublishInTheDark };
  };
  const subscribeBesides = ({ url }: Hook, of = events) =>
    api.create('/webhooks', { target_url: url, events: of });
  /** The only hook for the trigger, whose deliveries start the workflow. */
  const expectOneThatWorks = async (workflow: { id: string }, trigger: WorkflowNode): Promise<Hook> => {
    const hooks = await hooksOf(api, trigger.webhookId);
    expect(hooks).toHaveLength(1);
    const before = await n8n.executionIds(workflow);
    const id = await api.create('/companies', { name: 'It works' });
    const execution = await n8n.nextExecution(workflow, before.length + 1);
    expect(execution.output(trigger.name)).toMatchObject([{ id }]);
    return hooks[0] ?? expect.unreachable();
  };

  test('is one again when another was made for the same address', async (context) => {
    const { trigger, workflow, hook } = await published(context);
    await subscribeBesides(hook);
    await n8n.unpublish(workflow);
    expect(await hooksOf(api, trigger.webhookId)).toHaveLength(1);
    await n8n.publish(workflow);
    await expectOneThatWorks(workflow, trigger);
    await n8n.unpublish(workflow);
  });

  test('that is unpublished and published within a day gets what happened meanwhile, without Catch Up (rule n8n 15)', async (context) => {
    const { trigger, workflow } = await published(context);
    await n8n.unpublish(workflow);
    const id = await api.create('/companies', { name: 'Meanwhile' });
    await n8n.publish(workflow);
    expect((await n8n.nextExecution(workflow)).output(trigger.name)).toMatchObject([{ id }]);
    await n8n.unpublish(workflow);
  });

  test('is made anew when it was left behind and another was made for the same address, and says so', async (context) => {
    const { trigger, workflow, hook, unpublishInTheDark } = await published(context);
    await unpublishInTheDark();
    await subscribeBesides(hook);
    await n8n.publish(workflow);
    await expectOneThatWorks(workflow, trigger);
    await expect
      .poll(() => n8n.log())
      .toContain(`${trigger.name}: the subscription in Dealkeep is gone or outdated`);
    await n8n.unpublish(workflow);
  });

  test('is given a new secret when another has taken its place, whose deliveries could not be verified', async (context) => {
    const { trigger, workflow, hook, unpublishInTheDark } = await published(context);
    await unpublishInTheDark();
    await api.call('DELETE', `/webhooks/${hook.id}`);
    const other = await subscribeBesides(hook);
    await n8n.publish(workflow);
    // It has come back with the same id, and a secret that n8n does not know.
    expect((await expectOneThatWorks(workflow, trigger)).id).toBe(other);
    await n8n.unpublish(workflow);
  });

  test('that was left behind gets the events that were chosen meanwhile', async (context) => {
    const { trigger, workflow, unpublishInTheDark } = await published(context);
    await unpublishInTheDark();
    const chosen = ['company.created', 'lead.won'];
    const parameters = { ...trigger.parameters, events: chosen };
    const changed = await n8n.updateWorkflow(workflow, [{ ...trigger, parameters }]);
    await n8n.publish(changed);
    const { events: subscribed } = await expectOneThatWorks(changed, trigger);
    expect(subscribed.toSorted()).toEqual(chosen);
    await n8n.unpublish(changed);
  });

  test('that was left behind moves along when the address has changed', async (context) => {
    const { trigger, workflow, hook, unpublishInTheDark } = await published(context);
    await unpublishInTheDark();
    const moved = { ...trigger, webhookId: randomUUID() };
    const changed = await n8n.updateWorkflow(workflow, [moved]);
    await n8n.publish(changed);
    expect(await hooksOf(api, trigger.webhookId)).toEqual([]);
    expect((await expectOneThatWorks(changed, moved)).id).toBe(hook.id);
    await n8n.unpublish(changed);
  });

  test('is one although the answer to its making was lost', async (context) => {
    const { trigger, workflow, proxy } = await published(context);
    await n8n.unpublish(workflow);
    proxy.next(['pass', 'lose the answer']);
    await n8n.publish(workflow);
    expect(proxy.seen().filter(({ idempotencyKey }) => idempotencyKey)).toHaveLength(2);
    await expectOneThatWorks(workflow, trigger);
    await n8n.unpublish(workflow);
  });

  test('of a test says in its name that it is one', async (context) => {
    const { trigger, workflow } = await published(context);
    await n8n.run(workflow, trigger.name);
    const hooks = listAt(await api.call('GET', '/webhooks'), 'data').filter((each) =>
      textAt(each, 'target_url').includes(trigger.webhookId ?? ''),
    );
    const names = hooks.map((each) => textAt(each, 'name').replace(/Test \w+/, 'NAME'));
    expect(names.toSorted()).toEqual(['n8n: NAME', 'n8n: NAME (test)']);
    await api.create('/companies', { name: 'Ends the test' });
    await n8n.nextExecution(workflow, 2);
    await n8n.unpublish(workflow);
  });

  describe('verifies and starts:', () => {
    const company = { id: '01985f6e-2c41-7d3a-9b52-4f0c8a7e1d63', name: 'Štúrova – ☕' };
    const envelope = (id: string) => ({ id, type: 'company.created', timestamp: new Date(), data: company });

    test('the signature is that of the bytes, however the JSON is written', async (context) => {
      const { trigger, workflow, hook } = await published(context);
      const body = JSON.stringify(envelope('evt_spaced'), null, 2).replace('☕', '\\u2615');
      expect(await deliver(dealkeep, hook, 'evt_spaced', body)).toBe(200);
      expect((await n8n.nextExecution(workflow)).output(trigger.name)).toMatchObject([company]);
      await n8n.unpublish(workflow);
    });

    test('unsigned deliveries too, when Verify Signature is off', async (context) => {
      const { trigger, workflow, hook } = await published(context, {
        events,
        options: { verifySignature: false },
      });
      const unsigned = {
        method: 'POST',
        headers: { 'content-type': 'application/json' },
        body: JSON.stringify(envelope('evt_unsigned')),
      };
      expect((await fetch(hook.url, unsigned)).status).toBe(200);
      expect((await n8n.nextExecution(workflow)).output(trigger.name)).toMatchObject([company]);
      await n8n.unpublish(workflow);
    });

    test('the same delivery again, when Skip Duplicates is off', async (context) => {
      const { workflow, hook } = await published(context, { events, options: { skipDuplicates: false } });
      for (const count of [1, 2]) {
        expect(await deliver(dealkeep, hook, 'evt_twice', JSON.stringify(envelope('evt_twice')))).toBe(200);
        expect((await n8n.nextExecution(workflow, count)).status).toBe('success');
      }
      await n8n.unpublish(workflow);
    });

    test('no event that was not chosen', async (context) => {
      const { trigger, workflow, hook } = await published(context);
      const updated = { ...envelope('evt_other'), type: 'company.updated' };
      expect(await deliver(dealkeep, hook, 'evt_other', JSON.stringify(updated))).toBe(200);
      await expectOneThatWorks(workflow, trigger);
      expect(await n8n.executionIds(workflow)).toHaveLength(1);
      await n8n.unpublish(workflow);
    });
  });
});
