import {
  allScopes,
  basePath,
  everyOperation,
  everyOperationId,
  type OperationDeclaration,
} from '@dealkeep/contract';
import { execute } from '@dealkeep/core/operations';
import { sharedDealkeep } from '@dealkeep/testing';
import { expect, test } from 'vitest';

const dealkeep = await sharedDealkeep();
const organization = await dealkeep.createOrganization();
const { token } = await organization.createKey({ scopes: allScopes });
const id = '01985f6e-2c41-7d3a-9b52-4f0c8a7e1d63';
const ofPeople = everyOperationId
  .map((each): OperationDeclaration & { id: typeof each } => ({ ...everyOperation[each], id: each }))
  .filter(({ audience }) => audience.includes('console') && !audience.includes('api'));

test.each(ofPeople)('no program reaches $id, whatever its key may do', async ({ method, path }) => {
  const address = basePath + path.replaceAll(/\{\w+\}/g, id);
  const response = await fetch(dealkeep.origin + address, {
    method,
    headers: { authorization: `Bearer ${token}`, 'content-type': 'application/json' },
    ...(method === 'GET' ? {} : { body: '{}' }),
  });
  expect(response.status).toBe(404);
  expect(await response.json()).toMatchObject({ error: { code: 'NOT_FOUND' } });
});

test('no program runs it past the addresses either', async () => {
  const caller = { authorization: `Bearer ${token}`, userAgent: undefined };
  const credential = await dealkeep.core.credentials.find(caller, 'api');
  for (const { id: operation } of ofPeople) {
    const raw = {
      path: {},
      query: [],
      receive: async () => ({ bytes: Buffer.from('{}'), parse: () => ({}) }),
    };
    const asked = execute(dealkeep.core, credential, operation, raw, {
      encode: () => ({ status: 200, body: '', noStore: false }),
    });
    await expect(asked).rejects.toThrow(`The operation ${operation} is not for the api`);
  }
});

test.each(['/docs', '/llms.txt', '/api/v1/openapi/public-v1.json'])('%s tells of none', async (page) => {
  const response = await fetch(dealkeep.origin + page);
  expect(response.status).toBe(200);
  const text = await response.text();
  for (const { title } of ofPeople) expect(text).not.toContain(title.en);
});
