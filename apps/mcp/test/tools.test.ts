import { allScopes, operationIds, operations, toolSetNames } from '@dealkeep/contract';
import { sharedDealkeep } from '@dealkeep/testing';
import { describe, expect, test } from 'vitest';
import { connectAssistant, refusalIn } from './assistant.ts';

const dealkeep = await sharedDealkeep();

describe.each(['modern', 'legacy'] as const)('an assistant of the %s revision', (revision) => {
  test('is told the usual tools, calls them, and is answered records (rules assistants 1 and 3)', async () => {
    const { key } = await dealkeep.createOrganization();
    const assistant = await connectAssistant(dealkeep.baseUrl, key, { revision });
    const { tools } = await assistant.listTools();
    expect(tools.map(({ name }) => name)).toEqual(expect.arrayContaining(['list_leads', 'create_lead']));
    const made = await assistant.callTool({ name: 'create_lead', arguments: { name: 'Ten bikes' } });
    expect(made.structuredContent).toMatchObject({ name: 'Ten bikes', status: 'open' });
    const listed = await assistant.callTool({ name: 'list_leads', arguments: { status: 'open' } });
    expect(listed.structuredContent).toMatchObject({ items: [{ name: 'Ten bikes' }], next_cursor: null });
  });

  test('is told which arguments are wrong, and how to mend them (rule assistants 4)', async () => {
    const { key } = await dealkeep.createOrganization();
    const assistant = await connectAssistant(dealkeep.baseUrl, key, { revision });
    const refused = await assistant.callTool({ name: 'create_lead', arguments: { nam: 'Ten', value: -1 } });
    expect(refusalIn(refused)).toBe(
      [
        'VALIDATION_ERROR: Some fields are not valid: value, nam.',
        '- value: This must be at least 0.',
        '- nam: No such field is taken here. Check its spelling.',
      ].join('\n'),
    );
  });

  test('arguments that are no object are refused, and an argument that there is not', async () => {
    const { key } = await dealkeep.createOrganization();
    const assistant = await connectAssistant(dealkeep.baseUrl, key, { revision });
    for (const given of ['[1]', '"name"', '7', 'true']) {
      const call = assistant.callTool({ name: 'create_lead', arguments: JSON.parse(given) });
      await expect(call, given).rejects.toMatchObject({ code: -32602 });
    }
    const { data: company } = await dealkeep.as(key).post('/companies', { name: 'Tatra Bikes' });
    for (const [name, given] of [
      ['list_leads', { colour: 'red' }],
      ['get_company', { company: company.id, colour: 'red' }],
      ['create_lead', { name: 'Ten bikes', idempotency_key: 'one', colour: 'red' }],
    ] as const) {
      expect(refusalIn(await assistant.callTool({ name, arguments: given })), name).toContain('colour');
    }
    expect((await dealkeep.as(key).get('/leads')).page.data).toEqual([]);
  });
});

describe('the addresses (rule assistants 3)', () => {
  const namesAt = async (path: string, key: string) => {
    const assistant = await connectAssistant(dealkeep.baseUrl, key, { path });
    return (await assistant.listTools()).tools.map(({ name }) => name);
  };

  test('/mcp/all offers every operation of the API but batches', async () => {
    const { createKey } = await dealkeep.createOrganization();
    const names = await namesAt('/mcp/all', (await createKey({ scopes: allScopes })).token);
    expect(new Set(names).size).toBe(names.length);
    const offered = operationIds.filter((id) => operations[id].kind !== 'batch');
    expect(names.length).toBeGreaterThanOrEqual(offered.length - 1);
  });

  test.each(toolSetNames)('/mcp/%s offers its set, and read-only what changes nothing', async (set) => {
    const { key } = await dealkeep.createOrganization();
    const assistant = await connectAssistant(dealkeep.baseUrl, key, { path: `/mcp/${set}/readonly` });
    const { tools } = await assistant.listTools();
    expect(tools.length).toBeGreaterThan(0);
    for (const { annotations } of tools) expect(annotations?.readOnlyHint).toBe(true);
  });

  test('an address that there is not is NOT_FOUND', async () => {
    const { key } = await dealkeep.createOrganization();
    const answer = await fetch(`${new URL(dealkeep.baseUrl).origin}/mcp/other`, {
      method: 'POST',
      headers: { Authorization: `Bearer ${key}`, 'Content-Type': 'application/json' },
      body: '{}',
    });
    expect(answer.status).toBe(404);
  });
});
