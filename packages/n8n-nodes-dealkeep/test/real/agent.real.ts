import { startDealkeep, type TestDealkeep } from '@dealkeep/testing';
import { beforeAll, describe, expect, test } from 'vitest';
import { Api } from './api.ts';
import { at, listAt, textAt } from './json.ts';
import { N8nDriver } from './n8n-driver.ts';
import { startScriptedModel, type Turn } from './scripted-model.ts';
import { startTroubledProxy } from './troubled-proxy.ts';
import { actionType, chosen, manualTrigger } from './workflow-node.ts';

/** The node as a tool, with its settings. */
interface Tool {
  name: string;
  parameters: Record<string, unknown>;
  [setting: string]: unknown;
}

/** A value that the model decides, with what it is told about it. */
const decided = (name: string, about: string) => `={{ $fromAI('${name}', '${about}', 'string') }}`;

/** Since version 3 n8n runs tools itself, as it runs other nodes; before, the agent did. */
describe.concurrent.each([2, 3])('an AI agent of version %d in n8n', (agentVersion) => {
  const n8n = new N8nDriver();
  let dealkeep: TestDealkeep;
  let api: Api;

  beforeAll(async () => {
    dealkeep = await startDealkeep({ worker: false });
    api = new Api(dealkeep.baseUrl, (await dealkeep.createOrganization()).key);
  });

  /** Lets an agent with these tools do so much; gives what it said, and the model that decided it. */
  const ask = async (tools: readonly Tool[], turns: readonly Turn[], baseUrl = api.baseUrl) => {
    const model = await startScriptedModel(turns);
    try {
      const dealkeepApi = await n8n.createCredential(baseUrl, api.key);
      const openAiApi = await n8n.createOtherCredential('openAiApi', { apiKey: 'none', url: model.url });
      const toAgent = (type: string) => ({ [type]: [[{ node: 'Agent', type, index: 0 }]] });
      const workflow = await n8n.createWorkflow(
        [
          manualTrigger,
          {
            name: 'Agent',
            type: '@n8n/n8n-nodes-langchain.agent',
            typeVersion: agentVersion,
            parameters: { promptType: 'define', text: 'Tatra wants twenty bikes', options: {} },
          },
          {
            name: 'Model',
            type: '@n8n/n8n-nodes-langchain.lmChatOpenAi',
            typeVersion: 1.2,
            parameters: { model: { __rl: true, mode: 'id', value: 'scripted' }, options: {} },
            credentials: { openAiApi },
          },
          ...tools.map((tool) => ({
            type: `${actionType}Tool`,
            typeVersion: 1,
            credentials: { dealkeepApi },
            ...tool,
          })),
        ],
        {
          connections: {
            Start: toAgent('main'),
            Model: toAgent('ai_languageModel'),
            ...Object.fromEntries(tools.map(({ name }) => [name, toAgent('ai_tool')])),
          },
        },
      );
      const execution = await n8n.execution((await n8n.run(workflow, 'Start')) ?? '');
      expect(execution.error('Agent')).toBeUndefined();
      return { said: execution.output('Agent')[0]?.['output'], model };
    } finally {
      model.stop();
    }
  };
  const createLead = {
    name: 'Create lead',
    parameters: {
      resource: 'lead',
      operation: 'create',
      name: decided('title', 'what the lead is about'),
      companyId: chosen(decided('company', 'id of the company, as Find companies gives it')),
      additionalFields: {},
    },
  };

  test('finds a company, makes a lead of it, and is told enough but not much (rule n8n 12)', async () => {
    const company = await api.create('/companies', { name: 'Tatra Bikes', note: 'Long '.repeat(500) });
    const findCompanies = {
      name: 'Find companies',
      parameters: {
        resource: 'company',
        operation: 'getAll',
        limit: 5,
        filters: { q: decided('search', 'part of the name of the company') },
      },
    };
    const { said, model } = await ask(
      [findCompanies, createLead],
      [
        { tool: 'Find_companies', input: () => ({ search: 'tatra' }) },
        {
          tool: 'Create_lead',
          input: ([found]) => ({ title: 'Fleet of 20 city bikes', company: at(found, 0, 'id') }),
        },
        { say: 'The lead is there.' },
      ],
    );
    expect(said).toBe('The lead is there.');
    const [lead] = listAt(await api.call('GET', `/leads?company_id=${company}`), 'data');
    expect(lead).toMatchObject({ name: 'Fleet of 20 city bikes', company: { id: company } });
    expect(textAt(model.results()[1], 0, 'id')).toBe(at(lead, 'id'));

    const descriptions = Object.fromEntries(
      model.tools().map(({ name, description }) => [name, description]),
    );
    expect(descriptions).toEqual({
      Find_companies: expect.stringMatching(
        /^Get many companies in Dealkeep\. .* Use it to find records, before creating one too, and the IDs that other tools ask for\. An empty filter is ignored\.$/,
      ),
      Create_lead: expect.stringMatching(
        /^Create lead in Dealkeep\. .* Use it when nothing that fits exists yet\.$/,
      ),
    });
    // The long note is none of the fields that matter most.
    expect(JSON.stringify(model.results()).length).toBeLessThan(2000);
  });

  test('is told as much of a record as "Output" of the tool says (rule n8n 8)', async () => {
    const id = await api.create('/companies', { name: 'Liptov Dairy', note: 'Milk' });
    const get = (name: string, more: Record<string, unknown>) => ({
      name,
      parameters: { resource: 'company', operation: 'get', companyId: chosen(id), ...more },
    });
    const { model } = await ask(
      [
        get('Short', {}),
        get('Whole', { output: 'raw' }),
        get('Chosen', { output: 'selectedFields', fields: ['name', 'note'] }),
        get('Listed', { output: 'selectedFields', fields: '={{ "name, vat_id" }}' }),
      ],
      [
        ...['Short', 'Whole', 'Chosen', 'Listed'].map((tool) => ({ tool, input: () => ({}) })),
        { say: 'Read.' },
      ],
    );
    const [short, whole, chosenFields, listed] = model.results().map((each) => Object(at(each, 0)));
    expect(Object.keys(short)).toHaveLength(10);
    expect(whole).toMatchObject({ ...short, note: 'Milk', custom_fields: {} });
    expect(chosenFields).toEqual({ name: 'Liptov Dairy', note: 'Milk' });
    expect(listed).toEqual({ name: 'Liptov Dairy', vat_id: null });
  });

  test('changes nothing by what it leaves empty, and clears what it names (rules n8n 12 and 28)', async () => {
    const given = { email: 'office@mala.example', phone: '+421 1', note: 'Old', tags: ['VIP'] };
    const id = await api.create('/companies', { name: 'Mala Fatra', ...given });
    const contact = await api.create('/contacts', { company_id: id, name: 'Eva' });
    const updateCompany = {
      name: 'Update company',
      parameters: {
        resource: 'company',
        operation: 'update',
        companyId: chosen(id),
        output: 'raw',
        updateFields: {
          email: decided('email', 'new e-mail address'),
          phone: decided('phone', 'new phone number'),
          note: decided('note', 'new note'),
          ownerId: chosen(decided('owner', 'id of the owner')),
          tags: decided('tags', 'names of tags'),
          fieldsToClear: decided('clear', 'names of the fields to empty'),
        },
      },
    };
    const findContacts = {
      name: 'Find contacts',
      parameters: {
        resource: 'contact',
        operation: 'getAll',
        filters: { email: decided('email', 'e-mail address'), companyId: chosen(decided('company', 'id')) },
      },
    };
    const empty = { email: '', phone: '', note: '', owner: '', tags: '', clear: '' };
    const { model } = await ask(
      [updateCompany, findContacts],
      [
        { tool: 'Update_company', input: () => ({ ...empty, note: 'Called' }) },
        { tool: 'Update_company', input: () => ({ ...empty, clear: 'phone, tags' }) },
        { tool: 'Find_contacts', input: () => ({ email: '', company: '' }) },
        { say: 'Done.' },
      ],
    );
    const [first, second, found] = model.results();
    expect(at(first, 0)).toMatchObject({ ...given, note: 'Called' });
    expect(at(second, 0)).toMatchObject({ ...given, note: 'Called', phone: null, tags: [] });
    expect(found).toMatchObject([{ id: contact }]);
  });

  test('makes a record by each call of a tool: one after another, at once, and with the same values', async () => {
    const company = await api.create('/companies', { name: 'Orava Timber' });
    const call = (title: string) => ({ tool: 'Create_lead', input: () => ({ title, company }) });
    const { said, model } = await ask(
      [createLead],
      [call('First'), call('Second'), [call('Third'), call('Fourth')], call('First'), { say: 'All made.' }],
    );
    expect(said).toBe('All made.');
    const made = model.results().map((each) => [textAt(each, 0, 'name'), textAt(each, 0, 'id')]);
    expect(made.map(([name]) => name)).toEqual(['First', 'Second', 'Third', 'Fourth', 'First']);
    expect(new Set(made.map(([, id]) => id)).size).toBe(5);
    expect(listAt(await api.call('GET', `/leads?company_id=${company}`), 'data')).toHaveLength(5);
  });

  test('makes no second record by Retry On Fail of a tool', async () => {
    const company = await api.create('/companies', { name: 'Fatra Ski' });
    const proxy = await startTroubledProxy(dealkeep.origin);
    try {
      proxy.next([...Array.from({ length: 6 }, () => 'lose the answer' as const), 'pass']);
      await ask(
        [{ ...createLead, retryOnFail: true, maxTries: 2, waitBetweenTries: 10 }],
        [{ tool: 'Create_lead', input: () => ({ title: 'Skis', company }) }, { say: 'Made.' }],
        `${proxy.origin}/api/v1/public`,
      );
      expect(proxy.seen()).toHaveLength(7);
      expect(new Set(proxy.seen().map(({ idempotencyKey }) => idempotencyKey)).size).toBe(1);
      expect(listAt(await api.call('GET', `/leads?company_id=${company}`), 'data')).toHaveLength(1);
    } finally {
      await proxy.stop();
    }
  });
});
