import { type OperationDeclaration, operations, takesIfMatch, takesIfNoneMatch } from '@dealkeep/contract';
import { sharedDealkeep } from '@dealkeep/testing';
import { defaultPipeline } from '@dealkeep/testing/business';
import { describe, expect, test } from 'vitest';
import { openKnownBusiness, pathOn } from '../known-records.ts';

// Every operation that answers or takes a tag; what tags are and how they are compared is tried by
// `conditional.test.ts`.

const dealkeep = await sharedDealkeep();
const business = await openKnownBusiness(dealkeep);
const { api, freshRecord } = business;
const declarations = Object.values<OperationDeclaration>(operations);
const tagOf = (answer: { headers: Headers }): string => answer.headers.get('etag') ?? '';

/** A record that a GET answers; of events, one that happened. */
async function recordOf({ id, resource }: OperationDeclaration): Promise<string> {
  if (id !== 'events.get') return freshRecord(resource);
  const { data } = (await api.send<{ id: string }>('GET', '/events?limit=1')).page;
  return data[0]?.id ?? '';
}

describe('`ETag` on every single record', () => {
  const gets = declarations.filter(takesIfNoneMatch);

  test.each(gets.map((each) => [each.id, each] as const))('%s, and `If-None-Match` → 304', async (_, get) => {
    const asked = get.id === 'search.all' ? '?q=tatra' : '';
    const path = pathOn(get, get.path.includes('{') ? await recordOf(get) : '') + asked;
    const read = await api.send('GET', path);
    expect(tagOf(read)).toMatch(/^"[\w-]+"$/);
    const response = await fetch(dealkeep.baseUrl + path, {
      headers: { Authorization: `Bearer ${business.organization.key}`, 'If-None-Match': tagOf(read) },
    });
    expect([response.status, tagOf(response), await response.text()]).toEqual([304, tagOf(read), '']);
    expect((await api.send('GET', path, { headers: { 'If-None-Match': '"other"' } })).status).toBe(200);
  });
});

describe('`If-Match` on PATCH and steps → 412 `PRECONDITION_FAILED` when it changed', () => {
  const conditional = declarations.filter(takesIfMatch);

  test('all of them are asked below', () => {
    const changing = declarations.filter(
      ({ kind, unconditional }) => (kind === 'update' || kind === 'action') && !unconditional,
    );
    expect(conditional.map(({ id }) => id)).toEqual(changing.map(({ id }) => id));
  });

  /** The name of each, or its like, changes. */
  const fieldOf: Readonly<Record<string, string>> = {
    activity: 'name',
    task: 'title',
    webhook: 'name',
    client: 'reference_code',
  };

  test.each(conditional.map((each) => [each.id, each] as const))('%s', async (_, declaration) => {
    const { id, method, resource, path } = declaration;
    const read = declarations.filter((each) => each.kind === 'get' && path.startsWith(each.path));
    const get = read.toSorted((a, b) => a.path.length - b.path.length).at(-1);
    if (!get) throw new Error(`Nothing reads what ${id} changes`);
    const record = await freshRecord(resource);
    const tag = tagOf(await api.send('GET', pathOn(get, record)));
    const step = id === 'leads.move' ? { stage_id: (await defaultPipeline(api)).stages['Won'] } : {};
    const json = method === 'PATCH' ? { [fieldOf[resource] ?? 'note']: 'x' } : step;
    const send = (ifMatch: string) =>
      api.send(method, pathOn(declaration, record), { json, headers: { 'If-Match': ifMatch } });
    expect((await send('"other"')).outcome).toBe('412 PRECONDITION_FAILED');
    expect(tagOf(await api.send('GET', pathOn(get, record)))).toBe(tag);
    expect((await send(tag)).status).toBe(200);
    // What is sent again is another one when it was tried.
    const changes = resource !== 'delivery';
    expect((await send(tag)).outcome).toBe(changes ? '412 PRECONDITION_FAILED' : '200');
  });
});
