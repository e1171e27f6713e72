import { type ApiKey, listApiKeys } from '@dealkeep/core';
import { startDealkeep } from '@dealkeep/testing';
import { beforeAll, describe, expect, test } from 'vitest';
import manifest from '../../package.json' with { type: 'json' };
import { N8nDriver } from './n8n-driver.ts';

describe('the credential test in n8n', () => {
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

  test('accepts a key and the API root', async () => {
    expect(await n8n.testCredential({ baseUrl, apiKey })).toMatchObject({ status: 'OK' });
  });

  test('is known as n8n by the test alone, without a trigger (13.29)', async () => {
    const userAgent = `n8n-nodes-dealkeep/${manifest.version}`;
    await expect.poll(keys).toMatchObject([{ last_used_by: userAgent, platforms: ['n8n'] }]);
  });

  test('accepts a trailing slash', async () => {
    expect(await n8n.testCredential({ baseUrl: `${baseUrl}/`, apiKey })).toMatchObject({ status: 'OK' });
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

  test('says that the path of the API root is missing', async () => {
    const answer = await n8n.testCredential({ baseUrl: origin, apiKey });
    expect(answer).toEqual({ status: 'Error', message: expect.stringContaining('/api/v1/public') });
  });
});
