import { startDealkeep } from '@dealkeep/testing';
import { expect, test } from 'vitest';
import { Api } from './api.ts';
import { at, listAt, textAt } from './json.ts';
import { actionType, chosen, manualTrigger, N8nDriver } from './n8n-driver.ts';
import { startScriptedModel } from './scripted-model.ts';

/** A value that the model decides, with what it is told about it. */
const decided = (name: string, about: string) => `={{ $fromAI('${name}', '${about}', 'string') }}`;

test('an AI agent in n8n finds a company, makes a lead of it, and is told enough but not much', async () => {
  const n8n = new N8nDriver();
  const dealkeep = await startDealkeep({ worker: false });
  const { key } = await dealkeep.createOrganization();
  const api = new Api(dealkeep.baseUrl, key);
  const company = await api.create('/companies', { name: 'Tatra Bikes', note: 'Long '.repeat(500) });
  const model = await startScriptedModel([
    { tool: 'Find_companies', input: () => ({ search: 'tatra' }) },
    {
      tool: 'Create_lead',
      input: ([found]) => ({ title: 'Fleet of 20 city bikes', company: at(found, 0, 'id') }),
    },
    { say: 'The lead is there.' },
  ]);
  try {
    const dealkeepApi = await n8n.createCredential(api.baseUrl, key);
    const openAiApi = await n8n.createOtherCredential('openAiApi', { apiKey: 'none', url: model.url });
    const tool = (name: string, parameters: Record<string, unknown>) => ({
      ...{ name, type: `${actionType}Tool`, typeVersion: 1, parameters },
      credentials: { dealkeepApi },
    });
    const workflow = await n8n.createWorkflow(
      [
        manualTrigger,
        {
          name: 'Agent',
          type: '@n8n/n8n-nodes-langchain.agent',
          typeVersion: 2,
          parameters: { promptType: 'define', text: 'Tatra wants twenty bikes', options: {} },
        },
        {
          name: 'Model',
          type: '@n8n/n8n-nodes-langchain.lmChatOpenAi',
          typeVersion: 1.2,
          parameters: { model: { __rl: true, mode: 'id', value: 'scripted' }, options: {} },
          credentials: { openAiApi },
        },
        tool('Find companies', {
          ...{ resource: 'company', operation: 'getAll', limit: 5 },
          filters: { q: decided('search', 'part of the name of the company') },
        }),
        tool('Create lead', {
          ...{ resource: 'lead', operation: 'create' },
          additionalFields: {
            name: decided('title', 'what the lead is about'),
            companyId: chosen(decided('company', 'id of the company, as Find companies gives it')),
          },
        }),
      ],
      {
        connections: {
          Start: { main: [[{ node: 'Agent', type: 'main', index: 0 }]] },
          Model: { ai_languageModel: [[{ node: 'Agent', type: 'ai_languageModel', index: 0 }]] },
          'Find companies': { ai_tool: [[{ node: 'Agent', type: 'ai_tool', index: 0 }]] },
          'Create lead': { ai_tool: [[{ node: 'Agent', type: 'ai_tool', index: 0 }]] },
        },
      },
    );
    const execution = await n8n.execution((await n8n.run(workflow, 'Start')) ?? '');
    expect(execution.error('Agent')).toBeUndefined();
    expect(execution.output('Agent')).toMatchObject([{ output: 'The lead is there.' }]);
    const [lead] = listAt(await api.call('GET', '/leads'), 'data');
    expect(lead).toMatchObject({ name: 'Fleet of 20 city bikes', company: { id: company } });
    expect(textAt(model.results()[1], 0, 'id')).toBe(at(lead, 'id'));

    const descriptions = Object.fromEntries(
      model.tools().map(({ name, description }) => [name, description]),
    );
    expect(descriptions).toEqual({
      Find_companies: expect.stringMatching(
        /^Get many companies in Dealkeep\. .* Use it to find records, before creating one too, and the IDs that other tools ask for\.$/,
      ),
      Create_lead: expect.stringMatching(
        /^Create a lead in Dealkeep\. .* Use it when nothing that fits exists yet\.$/,
      ),
    });
    // The long note is none of the fields that matter most.
    expect(JSON.stringify(model.results()).length).toBeLessThan(2000);
  } finally {
    model.stop();
  }
});
