import { randomBytes } from 'node:crypto';
import { placeOfSecret } from '@dealkeep/core/delivering';
import { startDealkeep, type TestDealkeep } from '@dealkeep/testing';
import { beforeAll, describe, expect } from 'vitest';
import type { Execution } from './execution.ts';
import { hooksOf } from './hooks-of.ts';
import { N8nDriver } from './n8n-driver.ts';
import { triggerTest } from './trigger-test.ts';
import { startTroubledProxy } from './troubled-proxy.ts';
import { triggerNode } from './workflow-node.ts';

const hour = 3600_000;

describe('a trigger that runs for years', () => {
  const n8n = new N8nDriver();
  let dealkeep: TestDealkeep;

  beforeAll(async () => {
    dealkeep = await startDealkeep();
  });
  const test = triggerTest(() => dealkeep, triggerNode);
  const received = (execution: Execution) => execution.output('Dealkeep Trigger');

  test('says that the subscription was deleted behind its back, and heals on the next publication', async ({
    api,
    published,
  }) => {
    const log = await n8n.newLog();
    const { trigger, workflow } = await published({ events: ['lead.created'] });
    const [hook] = await hooksOf(api, trigger.webhookId);
    await api.call('DELETE', `/webhooks/${hook?.id}`);
    await n8n.unpublish(workflow);
    await expect.poll(log).toContain('Dealkeep Trigger: the subscription was no longer in Dealkeep');
    await n8n.publish(workflow);
    expect(await hooksOf(api, trigger.webhookId)).toHaveLength(1);
    const id = await api.create('/leads', { name: 'After it was healed' });
    expect(received(await n8n.nextExecution(workflow))).toMatchObject([{ id }]);
    await n8n.unpublish(workflow);
  });

  test('is unpublished while the API is down, and published again with one subscription (rule n8n 15)', async ({
    api,
    published,
  }) => {
    const log = await n8n.newLog();
    const proxy = await startTroubledProxy(dealkeep.origin);
    try {
      const throughProxy = await n8n.createCredential(`${proxy.origin}/api/v1/public`, api.key);
      const { trigger, workflow } = await published({ events: ['lead.created'] }, throughProxy);
      const [before] = await hooksOf(api, trigger.webhookId);
      proxy.cut(true);
      await n8n.unpublish(workflow);
      await expect.poll(log).toContain('Dealkeep Trigger: the subscription stays in Dealkeep for now');
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

  test('takes both signatures while a secret changes, refuses the new one alone, and heals when published', async ({
    api,
    published,
  }) => {
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
    await expect
      .poll(log)
      .toContain('Dealkeep Trigger refused a delivery: The signature of the delivery is wrong');
    await n8n.unpublish(workflow);
    await n8n.publish(workflow);
    const healed = await api.create('/companies', { name: 'Signed with the secret of the new hook' });
    expect(received(await n8n.nextExecution(workflow, 2))).toMatchObject([{ id: healed }]);
    await n8n.unpublish(workflow);
  });

  test('a copy of the workflow that came with its memory leaves the subscription of the original alone (rule n8n 14)', async ({
    api,
    credential,
    published,
  }) => {
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
