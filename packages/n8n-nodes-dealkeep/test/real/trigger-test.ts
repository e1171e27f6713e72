import type { TestDealkeep } from '@dealkeep/testing';
import { test } from 'vitest';
import { Api } from './api.ts';
import { N8nDriver } from './n8n-driver.ts';
import type { Credential, WorkflowNode } from './workflow-node.ts';

/**
 * Tests of a trigger, each in an organization of its own: what others have just made would be brought, too.
 *
 * @param nodeOf the trigger with these parameters
 */
export function triggerTest<Trigger extends WorkflowNode>(
  dealkeepOf: () => TestDealkeep,
  nodeOf: (parameters: Record<string, unknown>, credential: Credential) => Trigger,
) {
  const n8n = new N8nDriver();
  return test
    .extend('api', async () => {
      const dealkeep = dealkeepOf();
      return new Api(dealkeep.baseUrl, (await dealkeep.createOrganization()).key);
    })
    .extend('credential', ({ api }) => n8n.createCredential(api.baseUrl, api.key))
    .extend(
      'published',
      ({ credential }) =>
        async (parameters: Record<string, unknown>, use: Credential = credential) => {
          const trigger = nodeOf(parameters, use);
          const workflow = await n8n.createWorkflow([trigger]);
          await n8n.publish(workflow);
          return { trigger, workflow };
        },
    );
}
