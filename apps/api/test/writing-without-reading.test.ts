import { type OperationDeclaration, operations, readScopeOf } from '@dealkeep/contract';
import { sharedDealkeep } from '@dealkeep/testing';
import { describe, expect, test } from 'vitest';
import * as z from 'zod';
import { business, ids, tryWrites } from './writing-without-reading.ts';

const dealkeep = await sharedDealkeep();
const declarations = Object.values<OperationDeclaration>(operations);

test('every write of a record that is read by another scope is looked at', () => {
  const expected = declarations.filter(
    (each) =>
      each.method !== 'GET' &&
      each.shape === 'record' &&
      !each.report &&
      ![each.scope, each.alsoScope].some((scope) => scope === readScopeOf(each)),
  );
  expect(ids.toSorted()).toEqual(expected.map(({ id }) => id).toSorted());
});

describe('a key (rule keys 16)', () => {
  tryWrites('a key');
});

test('with the scope to read, a write answers the whole record as before', async () => {
  const world = await business();
  const { token } = await world.organization.createKey({ scopes: ['leads:read', 'leads:write'] });
  const answer = await dealkeep.as(token).post('/leads', {
    company: { registration_id: '36000001' },
    dedupe: 'company',
  });
  expect(answer.data).toEqual({
    ...(await world.api.get(`/leads/${world.records.lead.id}`)).data,
    deduplicated: true,
  });
});

test('the description of the API says what is answered without reading', async () => {
  const schema = z.object({ description: z.string() });
  const responses = z.object({ responses: z.record(z.string(), schema) });
  const { paths } = z
    .object({ paths: z.record(z.string(), z.record(z.string(), z.unknown())) })
    .parse(await (await fetch(`${dealkeep.origin}/api/v1/openapi/public-v1.json`)).json());
  const said = (path: string, method: string, status: string): string | undefined =>
    responses.parse(paths[path]?.[method]).responses[status]?.description;
  expect(said('/leads', 'post', '200')).toContain('without leads:read');
  expect(said('/leads', 'post', '200')).toContain('only its id, app_url and deduplicated');
  expect(said('/leads', 'post', '201')).toContain('without other records in it');
  expect(said('/leads/{id}', 'patch', '200')).toContain('the fields that were sent');
  expect(said('/leads/batch', 'post', '200')).toContain('without leads:read');
});
