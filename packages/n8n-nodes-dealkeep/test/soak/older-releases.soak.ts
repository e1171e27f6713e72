import { startDealkeep } from '@dealkeep/testing';
import { describe, expect, test } from 'vitest';
import { installN8n } from '../../scripts/install-n8n.ts';
import { tarballPath } from '../../scripts/tarball-path.ts';
import { Api } from '../real/api.ts';
import { createContacts } from '../real/create-contacts.ts';
import { hooksOf } from '../real/hooks-of.ts';
import { N8nDriver } from '../real/n8n-driver.ts';
import { startN8n } from '../real/n8n-server.ts';
import { N8nSession } from '../real/n8n-session.ts';
import { pollNode, triggerNode } from '../real/workflow-node.ts';

/** The oldest release is the one that the README names. */
const releases = ['2.40.7', '2.39.10'];

describe.each(releases)('n8n %s', (release) => {
  test('loads the package, tests its credential, runs operations and dropdowns, and carries the trigger', async () => {
    const installation = await installN8n(release);
    const server = await startN8n({ installation, tarball: await tarballPath() });
    try {
      const n8n = new N8nDriver(await N8nSession.setUp(server, installation));
      const dealkeep = await startDealkeep();
      const { key } = await dealkeep.createOrganization();
      const api = new Api(dealkeep.baseUrl, key);
      const { baseUrl } = api;
      expect(await n8n.testCredential({ baseUrl, apiKey: key })).toMatchObject({ status: 'OK' });
      const credential = await n8n.createCredential(baseUrl, key);
      const made = await n8n.act(
        { resource: 'company', operation: 'create', name: 'Tatra Bikes', additionalFields: {} },
        credential,
      );
      expect(made.output('Dealkeep')).toMatchObject([{ name: 'Tatra Bikes' }]);
      const { results } = await n8n.searchList({ method: 'searchCompany', credential, filter: 'tatra' });
      expect(results).toHaveLength(1);

      const events = ['lead.created', 'contact.created'];
      const trigger = triggerNode({ events, options: { catchUp: true } }, credential);
      const workflow = await n8n.createWorkflow([trigger]);
      await n8n.publish(workflow);
      const live = await api.create('/leads', { name: 'Live' });
      const first = await n8n.nextExecution(workflow);
      expect(first.output('Dealkeep Trigger')).toMatchObject([{ id: live }]);
      await n8n.unpublish(workflow);
      expect(await hooksOf(api, trigger.webhookId)).toEqual([]);
      const missed = await createContacts(api, 120);
      await n8n.publish(workflow);
      const next = await api.create('/leads', { name: 'Brings what was missed' });
      const brought = (await n8n.nextExecution(workflow, 2)).output('Dealkeep Trigger');
      expect(brought.map((record) => record['id'])).toEqual([...missed, next]);
      await n8n.unpublish(workflow);

      const polled = await n8n.createWorkflow([pollNode({ events }, credential)]);
      await n8n.publish(polled);
      await n8n.unpublish(polled);
      const [contact] = await createContacts(api, 1);
      await n8n.publish(polled);
      const execution = await n8n.nextExecution(polled);
      expect(execution.output('Dealkeep Poll Trigger')).toMatchObject([{ id: contact }]);
      await n8n.unpublish(polled);
    } finally {
      await server.stop();
    }
  });
});
