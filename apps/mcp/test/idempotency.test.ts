import { sharedDealkeep } from '@dealkeep/testing';
import { describe, expect, test } from 'vitest';
import { connectAssistant, refusalIn, textOf } from './assistant.ts';

const dealkeep = await sharedDealkeep();

async function connected() {
  const { key } = await dealkeep.createOrganization();
  const api = dealkeep.as(key);
  const names = async () => (await api.get('/leads')).page.data.map(({ name }) => name);
  return { api, key, names, assistant: await connectAssistant(dealkeep.baseUrl, key) };
}

describe('a tool that makes a record (rule assistants 7)', () => {
  test('makes no second one when the same call is made again, and says so', async () => {
    const { assistant, names, key } = await connected();
    const first = await assistant.callTool({
      name: 'create_lead',
      arguments: { name: 'Ten bikes', value: 5 },
    });
    // As another conversation would, in the other revision and the other order.
    const other = await connectAssistant(dealkeep.baseUrl, key, { revision: 'legacy' });
    const again = await other.callTool({ name: 'create_lead', arguments: { value: 5, name: 'Ten bikes' } });
    expect(again.structuredContent).toEqual(first.structuredContent);
    expect(textOf(first)).not.toContain('Nothing new was made');
    expect(textOf(first)).toContain('Created lead "Ten bikes"');
    expect(textOf(again)).toContain('Nothing new was made');
    expect(textOf(again)).not.toContain('Created lead');
    expect(textOf(again)).toContain('call again with an idempotency_key');
    expect(await names()).toEqual(['Ten bikes']);
  });

  test('makes a second one on purpose with an idempotency key, once for each key', async () => {
    const { assistant, names } = await connected();
    const call = (more: object = {}) =>
      assistant.callTool({ name: 'create_lead', arguments: { name: 'Ten bikes', ...more } });
    await call();
    await call({ idempotency_key: 'second' });
    const again = await call({ idempotency_key: 'second' });
    expect(textOf(again)).toContain('Nothing new was made: this idempotency_key was used');
    expect(await names()).toEqual(['Ten bikes', 'Ten bikes']);
    const other = await assistant.callTool({
      name: 'create_lead',
      arguments: { name: 'Another', idempotency_key: 'second' },
    });
    expect(refusalIn(other)).toMatch(/^IDEMPOTENCY_KEY_REUSED: /);
  });

  test('makes one record of two calls at the same moment', async () => {
    const { assistant, names } = await connected();
    const call = () => assistant.callTool({ name: 'create_lead', arguments: { name: 'Ten bikes' } });
    const answers = await Promise.all([call(), call(), call(), call()]);
    expect(new Set(answers.map(({ structuredContent }) => Object(structuredContent).id)).size).toBe(1);
    expect(answers.filter((each) => textOf(each).includes('Nothing new was made'))).toHaveLength(3);
    expect(await names()).toEqual(['Ten bikes']);
  });

  test('makes what it refused before once what was wrong is mended', async () => {
    const { assistant, api, names } = await connected();
    const { data: company } = await api.post('/companies', { name: 'Tatra Bikes' });
    const { data: contact } = await api.post('/contacts', { name: 'Ján', company_id: company.id });
    const { data: other } = await api.post('/companies', { name: 'Fatra Bikes' });
    const given = { name: 'Ten bikes', company_id: other.id, contact_id: contact.id };
    const call = () => assistant.callTool({ name: 'create_lead', arguments: given });
    const refused = await call();
    expect(refusalIn(refused)).toBeDefined();
    await api.patch(`/contacts/${contact.id}`, { company_id: other.id });
    expect(refusalIn(await call())).toBeUndefined();
    expect(await names()).toEqual(['Ten bikes']);
  });

  test('keeps apart from the keys that the credential sends to the API', async () => {
    const { assistant, api, names } = await connected();
    await api.post('/leads', { name: 'By a program' }, { 'Idempotency-Key': 'one' });
    const made = await assistant.callTool({
      name: 'create_lead',
      arguments: { name: 'By an assistant', idempotency_key: 'one' },
    });
    expect(refusalIn(made)).toBeUndefined();
    expect(await names()).toHaveLength(2);
  });

  test.each([
    ['', 'This must not be empty.'],
    ['k'.repeat(256), 'At most 255'],
    [7, 'string'],
  ])('refuses the idempotency key %j', async (key, why) => {
    const { assistant, names } = await connected();
    const refused = await assistant.callTool({
      name: 'create_lead',
      arguments: { name: 'Ten bikes', idempotency_key: key },
    });
    expect(refusalIn(refused)).toMatch(/^VALIDATION_ERROR: .*\n- idempotency_key: /);
    expect(refusalIn(refused)).toContain(why);
    expect(await names()).toEqual([]);
  });

  test('alone takes an idempotency key', async () => {
    const { key } = await dealkeep.createOrganization();
    const assistant = await connectAssistant(dealkeep.baseUrl, key, { path: '/mcp/all' });
    const { tools } = await assistant.listTools();
    const keyed = tools.filter(({ inputSchema }) => 'idempotency_key' in Object(inputSchema.properties));
    expect(keyed.map(({ name }) => name)).toEqual(
      tools.map(({ name }) => name).filter((name) => /^create_(?!or_update)/.test(name)),
    );
  });
});

test('a move is made each time that it is asked for', async () => {
  const { assistant, api } = await connected();
  const { data: lead } = await api.post('/leads', { name: 'Ten bikes' });
  const update = (note: string) =>
    assistant.callTool({ name: 'update_lead', arguments: { id: lead.id, note } });
  await update('one');
  await update('two');
  await update('one');
  expect((await api.get(`/leads/${lead.id}`)).data.note).toBe('one');
});
