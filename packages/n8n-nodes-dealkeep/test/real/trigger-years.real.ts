import { randomBytes } from 'node:crypto';
import { placeOfSecret } from '@dealkeep/core';
import { startDealkeep, type TestDealkeep } from '@dealkeep/testing';
import { afterAll, beforeAll, beforeEach, describe, expect, test } from 'vitest';
import { Api } from './api.ts';
import type { Execution } from './execution.ts';
import { hooksOf } from './hooks-of.ts';
import { at, listAt, textAt } from './json.ts';
import { N8nDriver } from './n8n-driver.ts';
import { startTroubledProxy } from './troubled-proxy.ts';
import { waitFor } from './wait-for.ts';
import { type Credential, triggerNode } from './workflow-node.ts';

const limit = 30_000;
const hour = 3600_000;

describe('a trigger that runs for years', () => {
  const n8n = new N8nDriver();
  let dealkeep: TestDealkeep;
  let api: Api;
  let credential: Credential;

  /** How far the clock of Dealkeep is ahead. */
  let ahead = 0;

  beforeAll(async () => {
    dealkeep = await startDealkeep({ clock: { now: () => new Date(Date.now() + ahead) } });
  });
  // What others have created in the last minute would be caught up with, too.
  beforeEach(async () => {
    ahead = 0;
    const { key } = await dealkeep.createOrganization();
    api = new Api(dealkeep.baseUrl, key);
    credential = await n8n.createCredential(api.baseUrl, key);
  });
  afterAll(() => dealkeep.stop());

  const published = async (parameters: Record<string, unknown>, use = credential) => {
    const trigger = triggerNode(parameters, use);
    const workflow = await n8n.createWorkflow([trigger]);
    await n8n.publish(workflow);
    return { trigger, workflow };
  };
  const received = (execution: Execution) => execution.output('Dealkeep Trigger');

  describe('catching up', () => {
    const options = { catchUp: true, verifySignature: false };
    const events = ['company.created', 'company.updated', 'lead.created', 'lead.won', 'booking.created'];

    test('brings after two hours what was created and updated, in one execution, and nothing twice', async () => {
      const { workflow } = await published({ events, options });
      const known = await api.create('/companies', { name: 'Known before' });
      const untouched = await api.create('/companies', { name: 'Never touched again' });
      await waitFor('both deliveries', limit, async () => (await n8n.executionIds(workflow)).length === 2);
      await n8n.unpublish(workflow);

      ahead += 2 * hour;
      const missed = await api.create('/companies', { name: 'Missed' });
      const grown = await api.create('/companies', { name: 'Missed, then renamed' });
      await api.call('PATCH', `/companies/${grown}`, { name: 'Renamed' });
      await api.call('PATCH', `/companies/${known}`, { note: 'Changed meanwhile' });
      const [pipeline] = listAt(await api.call('GET', '/pipelines'), 'data');
      const won = listAt(pipeline, 'stages').find((stage) => at(stage, 'kind') === 'won');
      const lead = await api.create('/leads', { name: 'Won meanwhile' });
      await api.call('POST', `/leads/${lead}/move`, { stage_id: textAt(won, 'id') });
      await n8n.publish(workflow);

      const execution = await n8n.nextExecution(workflow, 3);
      const happened = received(execution).map((item) => [item['event_type'], item['id']]);
      expect(happened).toEqual([
        ['lead.created', lead],
        ['company.created', missed],
        ['company.created', grown],
        ['company.updated', known],
      ]);
      expect(happened.flat()).not.toContain(untouched);
      const { data } = Object(await api.call('GET', `/companies/${known}`));
      expect(received(execution)[3]).toEqual({
        ...data,
        event_id: expect.stringMatching(/^caught_up_/),
        event_type: 'company.updated',
        event_timestamp: data.updated_at,
        changed_fields: [],
      });

      await n8n.unpublish(workflow);
      await n8n.publish(workflow);
      const live = await api.create('/companies', { name: 'Live again' });
      const next = await n8n.nextExecution(workflow, 4);
      expect(received(next)).toMatchObject([{ id: live, event_type: 'company.created' }]);
      await n8n.unpublish(workflow);
      expect(await n8n.executionIds(workflow)).toHaveLength(4);
      expect(await n8n.log()).toMatch(/has caught up since .+: 4 created or updated/);
    });

    test('gives whole envelopes when those are wanted', async () => {
      const { workflow } = await published({
        events: ['company.created'],
        options: { ...options, output: 'envelope' },
      });
      const live = await api.create('/companies', { name: 'Delivered' });
      const [delivered] = received(await n8n.nextExecution(workflow));
      expect(at(delivered, 'data', 'id')).toBe(live);
      await n8n.unpublish(workflow);
      const missed = await api.create('/companies', { name: 'Fetched' });
      await n8n.publish(workflow);
      const [fetched, ...others] = received(await n8n.nextExecution(workflow, 2));
      expect(others).toEqual([]);
      expect(Object.keys(fetched ?? {}).sort()).toEqual(Object.keys(delivered ?? {}).sort());
      expect(fetched).toMatchObject({ type: 'company.created', data: { id: missed }, test: false });
      expect(at(fetched, 'organization')).toEqual(at(delivered, 'organization'));
      await n8n.unpublish(workflow);
    });

    test('reaches back to the beginning when the next publication fails, and the one after it succeeds', async () => {
      const proxy = await startTroubledProxy(dealkeep.origin);
      try {
        const throughProxy = await n8n.createCredential(`${proxy.origin}/api/v1/public`, api.key);
        const { workflow } = await published({ events: ['company.created'], options }, throughProxy);
        await n8n.unpublish(workflow);
        const missed = await api.create('/companies', { name: 'Missed' });
        proxy.cut(true);
        await expect(n8n.publish(workflow)).rejects.toThrow(/could not be reached/);
        proxy.cut(false);
        await n8n.unpublish(workflow);
        await n8n.publish(workflow);
        expect(received(await n8n.nextExecution(workflow))).toMatchObject([{ id: missed }]);
        await n8n.unpublish(workflow);
      } finally {
        await proxy.stop();
      }
    });

    test('is off unless it is wanted', async () => {
      const { workflow } = await published({
        events: ['company.created'],
        options: { verifySignature: false },
      });
      await n8n.unpublish(workflow);
      await api.create('/companies', { name: 'Missed and not wanted' });
      await n8n.publish(workflow);
      const live = await api.create('/companies', { name: 'Live' });
      expect(received(await n8n.nextExecution(workflow))).toMatchObject([{ id: live }]);
      await n8n.unpublish(workflow);
      expect(await n8n.executionIds(workflow)).toHaveLength(1);
    });
  });

  test('says that the subscription was deleted behind its back, and heals on the next publication', async () => {
    const log = await n8n.newLog();
    const { trigger, workflow } = await published({ events: ['lead.created'] });
    const [hook] = await hooksOf(api, trigger.webhookId);
    await api.call('DELETE', `/webhooks/${hook?.id}`);
    await n8n.unpublish(workflow);
    expect(await log()).toContain('Dealkeep Trigger: the subscription was no longer in Dealkeep');
    await n8n.publish(workflow);
    expect(await hooksOf(api, trigger.webhookId)).toHaveLength(1);
    const id = await api.create('/leads', { name: 'After it was healed' });
    expect(received(await n8n.nextExecution(workflow))).toMatchObject([{ id }]);
    await n8n.unpublish(workflow);
  });

  test('is unpublished while the API is down, and published again with one subscription', async () => {
    const log = await n8n.newLog();
    const proxy = await startTroubledProxy(dealkeep.origin);
    try {
      const throughProxy = await n8n.createCredential(`${proxy.origin}/api/v1/public`, api.key);
      const { trigger, workflow } = await published({ events: ['lead.created'] }, throughProxy);
      const [before] = await hooksOf(api, trigger.webhookId);
      proxy.cut(true);
      await n8n.unpublish(workflow);
      expect(await log()).toContain('Dealkeep Trigger: the subscription stays in Dealkeep for now');
      expect(await hooksOf(api, trigger.webhookId)).toEqual([before]);
      proxy.cut(false);
      await n8n.publish(workflow);
      // It is taken up again, with what Dealkeep has not got rid of meanwhile.
      expect(await hooksOf(api, trigger.webhookId)).toEqual([before]);
      const id = await api.create('/leads', { name: 'After the failure' });
      expect(received(await n8n.nextExecution(workflow))).toMatchObject([{ id }]);
      await n8n.unpublish(workflow);
    } finally {
      await proxy.stop();
    }
  });

  test('takes both signatures while a secret changes, refuses the new one alone, and heals when published', async () => {
    const log = await n8n.newLog();
    const { trigger, workflow } = await published({ events: ['company.created'] });
    const [hook] = await hooksOf(api, trigger.webhookId);
    const { core, sql } = dealkeep;
    const secret = `whsec_${randomBytes(32).toString('base64')}`;
    const until = new Date(Date.now() + hour).toISOString();
    const [row] = await sql<{ organization_id: string; id: string; secret: Uint8Array }[]>`
      select organization_id, id, secret from webhooks where id = ${hook?.id ?? ''}`;
    if (!row) throw new Error('The trigger has no hook');
    const former = core.secrets.decrypt(row.secret, placeOfSecret(row));
    await sql`
      update webhooks
      set previous_secret = ${core.secrets.encrypt(former, placeOfSecret(row, 'previous_secret'))},
          previous_secret_until = ${until}, secret = ${core.secrets.encrypt(secret, placeOfSecret(row))}
      where id = ${row.id}`;
    const both = await api.create('/companies', { name: 'Signed with both' });
    expect(received(await n8n.nextExecution(workflow))).toMatchObject([{ id: both }]);

    await sql`update webhooks set previous_secret = null, previous_secret_until = null where id = ${hook?.id ?? ''}`;
    await api.create('/companies', { name: 'Signed with the new one' });
    await waitFor('n8n to refuse it', limit, async () =>
      (await log()).includes('Dealkeep Trigger refused a delivery: The signature of the delivery is wrong'),
    );
    await n8n.unpublish(workflow);
    await n8n.publish(workflow);
    const healed = await api.create('/companies', { name: 'Signed with the secret of the new hook' });
    expect(received(await n8n.nextExecution(workflow, 2))).toMatchObject([{ id: healed }]);
    await n8n.unpublish(workflow);
  });

  test('a copy of the workflow that came with its memory leaves the subscription of the original alone', async () => {
    const { trigger, workflow } = await published({ events: ['lead.created'] });
    const hooks = await hooksOf(api, trigger.webhookId);
    expect(hooks).toHaveLength(1);

    const copied = triggerNode({ events: ['lead.created'] }, credential);
    const copy = await n8n.copyWorkflow(workflow, [copied]);
    await n8n.publish(copy);
    expect(await hooksOf(api, copied.webhookId)).toHaveLength(1);
    expect(await hooksOf(api, trigger.webhookId)).toEqual(hooks);
    const lead = await api.create('/leads', { name: 'For both' });
    for (const each of [workflow, copy]) {
      expect(received(await n8n.nextExecution(each))).toMatchObject([{ id: lead }]);
    }
    await n8n.unpublish(copy);
    expect(await hooksOf(api, copied.webhookId)).toEqual([]);
    expect(await hooksOf(api, trigger.webhookId)).toEqual(hooks);
    await n8n.unpublish(workflow);
  });
});
