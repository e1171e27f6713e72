import { startDealkeep } from '@dealkeep/testing';
import { expect, test } from 'vitest';
import { Api } from './api.ts';
import { at, listAt } from './json.ts';
import { N8nDriver } from './n8n-driver.ts';
import { startScriptedModel } from './scripted-model.ts';
import { manualTrigger } from './workflow-node.ts';

test('an AI agent works through n8n’s own MCP Client Tool, with nothing of this package', async () => {
  const n8n = new N8nDriver();
  const dealkeep = await startDealkeep({ worker: false });
  const { key } = await dealkeep.createOrganization();
  const api = new Api(dealkeep.baseUrl, key);
  const model = await startScriptedModel([
    {
      tool: 'Dealkeep_create_lead',
      input: () => ({ name: 'Fleet of 20 city bikes', company: { name: 'Tatra Bikes' } }),
    },
    { tool: 'Dealkeep_list_leads', input: () => ({ q: 'fleet' }) },
    { say: 'The lead is there.' },
  ]);
  try {
    const openAiApi = await n8n.createOtherCredential('openAiApi', { apiKey: 'none', url: model.url });
    const httpBearerAuth = await n8n.createOtherCredential('httpBearerAuth', { token: key });
    const toAgent = (type: string) => ({ [type]: [[{ node: 'Agent', type, index: 0 }]] });
    const workflow = await n8n.createWorkflow(
      [
        manualTrigger,
        {
          name: 'Agent',
          type: '@n8n/n8n-nodes-langchain.agent',
          typeVersion: 3,
          parameters: { promptType: 'define', text: 'Tatra wants twenty bikes', options: {} },
        },
        {
          name: 'Model',
          type: '@n8n/n8n-nodes-langchain.lmChatOpenAi',
          typeVersion: 1.2,
          parameters: { model: { __rl: true, mode: 'id', value: 'scripted' }, options: {} },
          credentials: { openAiApi },
        },
        {
          name: 'Dealkeep',
          type: '@n8n/n8n-nodes-langchain.mcpClientTool',
          typeVersion: 1.2,
          parameters: {
            endpointUrl: `${dealkeep.origin}/mcp`,
            serverTransport: 'httpStreamable',
            authentication: 'bearerAuth',
            options: {},
          },
          credentials: { httpBearerAuth },
        },
      ],
      {
        connections: {
          Start: toAgent('main'),
          Model: toAgent('ai_languageModel'),
          Dealkeep: toAgent('ai_tool'),
        },
      },
    );
    const execution = await n8n.execution((await n8n.run(workflow, 'Start')) ?? '');
    expect(execution.error('Agent')).toBeUndefined();
    expect(execution.output('Agent')[0]?.['output']).toBe('The lead is there.');
    const names = model.tools().map(({ name }) => name);
    expect(names).toEqual(expect.arrayContaining(['Dealkeep_create_lead', 'Dealkeep_list_leads']));
    expect(JSON.stringify(model.results())).toContain('Fleet of 20 city bikes');
    const leads = listAt(await api.call('GET', '/leads'), 'data');
    expect(leads.map((lead) => [at(lead, 'name'), at(lead, 'company', 'name')])).toEqual([
      ['Fleet of 20 city bikes', 'Tatra Bikes'],
    ]);
  } finally {
    model.stop();
  }
});
