import { startDealkeep } from '@dealkeep/testing';
import { beforeAll, describe, expect, test } from 'vitest';
import { N8nDriver } from './n8n-driver.ts';

describe('the credential test in n8n', () => {
  const n8n = new N8nDriver();
  let baseUrl: string;
  let origin: string;
  let apiKey: string;

  beforeAll(async () => {
    const dealkeep = await startDealkeep({ worker: false });
    ({ baseUrl, origin } = dealkeep);
    apiKey = (await dealkeep.createOrganization()).key;
  });

  test('accepts a key and the API root', async () => {
    expect(await n8n.testCredential({ baseUrl, apiKey })).toMatchObject({ status: 'OK' });
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
