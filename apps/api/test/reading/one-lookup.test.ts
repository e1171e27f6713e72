import { allScopes, type OperationDeclaration, operations, resources } from '@dealkeep/contract';
import { inConsole, sharedDealkeep } from '@dealkeep/testing';
import { openBusiness } from '@dealkeep/testing/business';
import { describe, expect, test } from 'vitest';
import { addUser } from '../console-edits.ts';
import { openKnownBusiness, pathOn } from '../known-records.ts';

const dealkeep = await sharedDealkeep();
const { api, organization, freshRecord } = await openKnownBusiness(dealkeep);
// A key with the one scope and a key without it for each list.
await dealkeep.sql`update organizations set max_keys = 1000 where id = ${organization.id}`;
const stranger = await openBusiness(dealkeep);
const declarations = Object.values<OperationDeclaration>(operations);
const lookups = Object.entries(resources)
  .filter(([, { kind }]) => kind === 'lookup')
  .map(([name]) => name);

/** The operation of this kind on a list to choose from. */
function operationOn(resource: string, kind: 'get' | 'list'): OperationDeclaration {
  const found = declarations.find((each) => each.resource === resource && each.kind === kind);
  if (!found) throw new Error(`Nothing is a ${kind} of ${resource}`);
  return found;
}

describe('`GET /{lookup}/{id}` for all lookups', () => {
  test.each(lookups)(
    '%s: what the list shows of it, and nobody else is answered (rule lookups 9)',
    async (resource) => {
      const [get, list] = [operationOn(resource, 'get'), operationOn(resource, 'list')];
      expect(get.path).toBe(`${list.path}/{id}`);
      const { data } = (await api.send<{ id: string }>('GET', list.path)).page;
      expect(data.length).toBeGreaterThan(0);
      for (const entry of data) {
        const one = await api.get(pathOn(get, entry.id));
        expect([one.status, one.data]).toEqual([200, entry]);
        expect(one.headers.get('etag')).toBeTruthy();
      }
      const id = await freshRecord(resource);
      expect((await stranger.api.get(pathOn(get, id))).outcome).toBe('404 NOT_FOUND');
      for (const other of [organization.id, 'nothing', '5']) {
        expect((await api.get(pathOn(get, other))).outcome).toBe('404 NOT_FOUND');
      }
      expect((await api.get(`${pathOn(get, id)}?q=x`)).outcome).toBe('400 UNSUPPORTED_FILTER');
    },
  );

  test.each(lookups)('%s: with the scope of its list (rules lookups 1 and 9)', async (resource) => {
    const [get, list] = [operationOn(resource, 'get'), operationOn(resource, 'list')];
    expect([get.scope, get.permissions]).toEqual([list.scope, list.permissions]);
    const scopes = allScopes.filter((each) => each === list.scope);
    const [enough, others] = await Promise.all([
      organization.createKey({ scopes }),
      organization.createKey({ scopes: allScopes.filter((each) => each !== list.scope) }),
    ]);
    const path = pathOn(get, await freshRecord(resource));
    expect((await dealkeep.as(enough.token).get(path)).outcome).toBe('200');
    expect((await dealkeep.as(others.token).get(path)).outcome).toBe('403 FORBIDDEN');
  });

  test('one that is archived, and a person who left, because records still show them (rules lookups 3 and 9)', async () => {
    const { api, organization } = await openBusiness(dealkeep);
    const origin = await inConsole(dealkeep.core, organization, 'lead-origins.add', { name: 'Radio' });
    await api.post('/leads', { name: 'Heard', origin_id: origin.id });
    await inConsole(dealkeep.core, organization, 'lead-origins.remove', { id: origin.id });
    const left = await addUser({ dealkeep, organization }, 'Former', { active: false });
    const listed = [
      ...(await api.get('/lead-origins')).page.data,
      ...(await api.get('/users')).page.data,
    ].map(({ id }) => id);
    expect(listed).not.toContain(origin.id);
    expect(listed).not.toContain(left);
    expect((await api.get(`/lead-origins/${origin.id}`)).data).toEqual({ id: origin.id, name: 'Radio' });
    expect((await api.get(`/users/${left}`)).data.name).toBe('Former');
  });

  test('as it is now, also where the list is edited elsewhere', async () => {
    const { api, organization } = await openBusiness(dealkeep);
    const [pipeline] = (await api.get('/pipelines')).page.data;
    const [stage] = pipeline?.stages ?? [];
    const before = await api.get(`/pipelines/${pipeline?.id}`);
    const edit = { id: stage?.id ?? '', name: 'Fresh', probability: 5 };
    await inConsole(dealkeep.core, organization, 'stages.edit', edit);
    const after = await api.get(`/pipelines/${pipeline?.id}`);
    expect(after.data.stages[0]).toMatchObject({ name: 'Fresh', probability: 5 });
    expect(after.headers.get('etag')).not.toBe(before.headers.get('etag'));
  });
});

test('`GET /products/categories`: those that products have', async () => {
  const { data: products } = (await api.send<{ category_uuid: string | null }>('GET', '/products?limit=100'))
    .page;
  const counts = Map.groupBy(
    products.filter((product) => product.category_uuid !== null),
    (product) => product.category_uuid,
  );
  const { data: categories } = (
    await api.send<{ id: string; product_count: number }>('GET', '/products/categories')
  ).page;
  expect(new Map(categories.map((each) => [each.id, each.product_count]))).toEqual(
    new Map([...counts].map(([id, { length }]) => [id, length])),
  );
});
