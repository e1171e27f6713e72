import { startDealkeep } from '@dealkeep/testing';
import { beforeAll, describe, expect, test } from 'vitest';
import { Api } from './api.ts';
import { at } from './json.ts';
import { N8nDriver } from './n8n-driver.ts';
import { type Credential, chosen } from './workflow-node.ts';

describe('failures in n8n', () => {
  const n8n = new N8nDriver();
  let api: Api;
  let credential: Credential;

  beforeAll(async () => {
    const dealkeep = await startDealkeep({ worker: false });
    const { key } = await dealkeep.createOrganization();
    api = new Api(dealkeep.baseUrl, key);
    credential = await n8n.createCredential(api.baseUrl, key);
  });

  test("a refused field is named by its label, with the API's words and the item", async () => {
    const execution = await n8n.act(
      {
        resource: 'company',
        operation: 'create',
        name: '={{ $json.name }}',
        additionalFields: { email: '={{ $json.email }}' },
      },
      credential,
      {
        items: [
          { name: 'Right', email: 'right@dealkeep.example' },
          { name: 'Wrong', email: 'not an e-mail' },
        ],
      },
    );
    expect(execution.status).toBe('error');
    const error = execution.error('Dealkeep');
    expect(error?.message).toMatch(/^Email: .+/);
    expect(error?.itemIndex).toBe(1);
  });

  test('a field inside another is named by both labels', async () => {
    const company = { values: { name: 'X', email: 'nope' } };
    const execution = await n8n.act(
      { resource: 'lead', operation: 'create', additionalFields: { company } },
      credential,
    );
    expect(execution.error('Dealkeep')?.message).toMatch(/^Company to Match or Create → Email: /);
  });

  test('Continue On Fail gives each failing item its own error and the others their records (rule n8n 9)', async () => {
    const execution = await n8n.act(
      {
        resource: 'company',
        operation: 'create',
        name: 'Continued',
        additionalFields: { email: '={{ $json.email }}', countryCode: '={{ $json.country }}' },
      },
      credential,
      {
        items: [
          { email: 'a@dealkeep.example', country: 'SK' },
          { email: 'nope', country: 'SK' },
          { email: 'c@dealkeep.example', country: 'XX' },
        ],
        settings: { onError: 'continueRegularOutput' },
      },
    );
    expect(execution.status).toBe('success');
    const output = execution.output('Dealkeep');
    expect(output).toHaveLength(3);
    expect(output[0]).toMatchObject({ name: 'Continued' });
    expect(output[1]).toEqual({ error: expect.stringMatching(/^Email: /) });
    expect(output[2]).toEqual({ error: expect.stringMatching(/^Country: /) });
    expect(execution.items('Dealkeep').map((item) => at(item, 'pairedItem', 'item'))).toEqual([0, 1, 2]);
  });

  test('an error output receives the failing items', async () => {
    const execution = await n8n.act(
      { resource: 'company', operation: 'get', companyId: chosen('={{ $json.id }}') },
      credential,
      {
        items: [{ id: '01985f6e-2c41-7d3a-9b52-4f0c8a7e1d63' }],
        settings: { onError: 'continueErrorOutput' },
      },
    );
    expect(execution.output('Dealkeep')).toMatchObject([{ error: expect.stringMatching(/./) }]);
  });

  test('an unreachable Dealkeep is named with the reason', async () => {
    const closed = await n8n.createCredential('http://127.0.0.1:9/api/v1/public', api.key);
    const error = (await n8n.act({ resource: 'me', operation: 'get' }, closed)).error('Dealkeep');
    expect(error?.message).toMatch(/could not be reached at http:\/\/127\.0\.0\.1:9.*nothing listens/);
  });
});
