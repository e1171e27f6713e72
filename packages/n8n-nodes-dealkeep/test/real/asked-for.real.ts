import { startDealkeep } from '@dealkeep/testing';
import { beforeAll, describe, expect, test } from 'vitest';
import { Api } from './api.ts';
import { at, listAt, textAt } from './json.ts';
import { N8nDriver } from './n8n-driver.ts';
import { actionNode, type Credential, chosen, manualTrigger } from './workflow-node.ts';

/** No input item has it. */
const misspelt = '={{ $json.misspelt }}';

describe('nothing changes that no one asked for', () => {
  const n8n = new N8nDriver();
  let api: Api;
  let credential: Credential;

  beforeAll(async () => {
    const dealkeep = await startDealkeep({ worker: false });
    api = new Api(dealkeep.baseUrl, (await dealkeep.createOrganization()).key);
    credential = await n8n.createCredential(api.baseUrl, api.key);
  });

  const refusal = async (parameters: Record<string, unknown>) =>
    (await n8n.act(parameters, credential)).error('Dealkeep')?.message;
  const company = (name: string, more: Record<string, unknown> = {}) =>
    api.create('/companies', { name, ...more });

  test('a misspelt expression detaches nothing from a lead, and names the field (rule n8n 25)', async () => {
    const [owner] = listAt(await api.call('GET', '/users'), 'data');
    const companyId = await company('Tatra Bikes');
    const contact = await api.create('/contacts', { company_id: companyId, name: 'Eva' });
    const lead = await api.create('/leads', {
      name: 'Fleet',
      contact_id: contact,
      owner_id: textAt(owner, 'id'),
    });
    const before = await api.call('GET', `/leads/${lead}`);
    for (const [parameter, label] of [
      ['ownerId', 'Owner'],
      ['companyId', 'Company'],
      ['contactId', 'Contact'],
    ] as const) {
      const updateFields = { [parameter]: chosen(misspelt) };
      expect(
        await refusal({ resource: 'lead', operation: 'update', leadId: chosen(lead), updateFields }),
      ).toBe(`${label}: the expression gives nothing`);
    }
    expect(await api.call('GET', `/leads/${lead}`)).toEqual(before);

    const updateFields = { ownerId: chosen('={{ "" }}') };
    await n8n.act({ resource: 'lead', operation: 'update', leadId: chosen(lead), updateFields }, credential);
    expect(at(await api.call('GET', `/leads/${lead}`), 'data', 'owner')).toBeNull();
  });

  test('a misspelt expression makes no lead without its company or its owner (rule n8n 25)', async () => {
    const create = { resource: 'lead', operation: 'create', name: 'Alone', additionalFields: {} };
    expect(await refusal({ ...create, companyId: chosen(misspelt) })).toMatch(/^Company: .*gives nothing/);
    expect(await refusal({ ...create, additionalFields: { ownerId: chosen(misspelt) } })).toMatch(
      /^Owner: .*gives nothing/,
    );
    expect(listAt(await api.call('GET', '/leads?q=Alone'), 'data')).toEqual([]);
  });

  test('an empty filter, and a misspelt one, find nothing instead of everything (rules n8n 25 and 27)', async () => {
    const list = (filters: unknown) => ({ resource: 'contact', operation: 'getAll', filters });
    expect(await refusal(list({ email: '' }))).toBe('Filters → Email: nothing to look for');
    expect(await refusal(list({ companyId: chosen('={{ "" }}') }))).toBe(
      'Filters → Company: nothing to look for',
    );
    expect(await refusal(list({ companyId: chosen(misspelt) }))).toBe(
      'Company: the expression gives nothing',
    );
    expect(await refusal(list({ email: misspelt }))).toBe('Email: the expression gives nothing');
    expect(await refusal(list({}))).toBeUndefined();
  });

  test('Fields to Clear empties what it names and nothing else (rule n8n 28)', async () => {
    const id = await company('Clear', {
      email: 'a@b.example',
      phone: '+421 1',
      note: 'Stays',
      tags: ['VIP'],
    });
    const updateFields = { fieldsToClear: ['email', 'phone', 'tags'] };
    const execution = await n8n.act(
      {
        resource: 'company',
        operation: 'update',
        companyId: chosen(id),
        updateFields,
        simplify: false,
      },
      credential,
    );
    expect(execution.output('Dealkeep')).toMatchObject([
      { id, email: null, phone: null, tags: [], note: 'Stays' },
    ]);
  });

  test('a tag with a comma in its name stays one, chosen or as a text; other texts are split (rule n8n 29)', async () => {
    await company('Tagged', { tags: ['Bolts, nuts'] });
    const tagged = async (tags: unknown) => {
      const create = { resource: 'company', operation: 'create', name: 'Other', additionalFields: { tags } };
      return at((await n8n.act(create, credential)).output('Dealkeep')[0], 'tags');
    };
    expect(await tagged(['Bolts, nuts'])).toEqual(['Bolts, nuts']);
    expect(await tagged('={{ "Bolts, nuts" }}')).toEqual(['Bolts, nuts']);
    expect(await tagged('={{ "VIP, Bolts" }}')).toEqual(['VIP', 'Bolts']);
  });

  test.each([3, 12])(
    'a failed execution of %d items that is retried from the list makes those again that failed alone (rule n8n 10)',
    async (count) => {
      const [first, second] = [await company(`First ${count}`), await company(`Second ${count}`)];
      const contact = await api.create('/contacts', { company_id: second, name: 'Eva' });
      const create = {
        resource: 'lead',
        operation: 'create',
        name: '={{ $json.name }}',
        companyId: chosen(first),
        additionalFields: { contactId: chosen('={{ $json.contact }}') },
      };
      const items = Array.from({ length: count }, (_, index) => ({
        json: { name: `Lead ${index}`, contact: index === count - 1 ? contact : '' },
      }));
      const workflow = await n8n.createWorkflow([manualTrigger, actionNode(create, credential)], {
        pinData: { Start: items },
      });
      const failed = await n8n.execution((await n8n.run(workflow, 'Start')) ?? '');
      expect(failed.error('Dealkeep')?.message).toMatch(/^Contact/);
      const leads = async () => listAt(await api.call('GET', `/leads?company_id=${first}`), 'data');
      expect(await leads()).toHaveLength(count - 1);

      await api.call('PATCH', `/contacts/${contact}`, { company_id: first });
      const retried = await n8n.retry(failed.id);
      expect(retried.status).toBe('success');
      expect(retried.output('Dealkeep').map(({ name }) => name)).toEqual(items.map(({ json }) => json.name));
      expect(await leads()).toHaveLength(count);
    },
  );
});
