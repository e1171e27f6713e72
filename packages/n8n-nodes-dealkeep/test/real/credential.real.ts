import { type ApiKey, listApiKeys } from '@dealkeep/core/accounts';
import { startDealkeep } from '@dealkeep/testing';
import { beforeAll, describe, expect, test } from 'vitest';
import manifest from '../../package.json' with { type: 'json' };
import { N8nDriver } from './n8n-driver.ts';

describe('the credential test in n8n (rule n8n 1)', () => {
  const n8n = new N8nDriver();
  let baseUrl: string;
  let origin: string;
  let apiKey: string;
  let keys: () => Promise<ApiKey[]>;

  beforeAll(async () => {
    const dealkeep = await startDealkeep({ worker: false });
    ({ baseUrl, origin } = dealkeep);
    const organization = await dealkeep.createOrganization();
    apiKey = organization.key;
    keys = () => listApiKeys(dealkeep.sql, organization.slug);
  });

  test('accepts a key with the origin and with the API root, each with a slash at the end, too', async () => {
    for (const address of [origin, `${origin}/`, baseUrl, `${baseUrl}/`]) {
      expect(await n8n.testCredential({ baseUrl: address, apiKey }), address).toMatchObject({ status: 'OK' });
    }
  });

  test('is known as n8n by the test alone, without a trigger', async () => {
    const userAgent = `n8n-nodes-dealkeep/${manifest.version}`;
    await expect.poll(keys).toMatchObject([{ last_used_by: userAgent, platforms: ['n8n'] }]);
  });

  test('says that a key is not valid', async () => {
    const answer = await n8n.testCredential({ baseUrl, apiKey: `${apiKey}x` });
    expect(answer).toEqual({
      status: 'Error',
      message: expect.stringContaining('This API key is not valid'),
    });
  });

  test('says that a key belongs to another environment', async () => {
    const answer = await n8n.testCredential({ baseUrl, apiKey: apiKey.replace('dk_live_', 'dk_test_') });
    expect(answer).toEqual({ status: 'Error', message: expect.stringContaining('another environment') });
  });

  test('says what the address has to be where nothing of Dealkeep is', async () => {
    const answer = await n8n.testCredential({ baseUrl: `${origin}/crm`, apiKey });
    expect(answer).toEqual({
      status: 'Error',
      message: expect.stringMatching(/must be the address of your Dealkeep, e\.g\. https:.*Check protocol/),
    });
  });
});
