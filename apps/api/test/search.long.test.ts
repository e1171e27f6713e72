import { getOperationOf, operations, searchedKindNames, searchedKinds } from '@dealkeep/contract';
import { sharedDealkeep } from '@dealkeep/testing';
import { expect, test } from 'vitest';
import { openKnownBusiness } from './known-records.ts';

const dealkeep = await sharedDealkeep();

test('a result of every kind names the page that the record itself names, and asks for the scope of reading it', async () => {
  const { api } = await openKnownBusiness(dealkeep);
  for (const kind of searchedKindNames) {
    const asked = await Promise.all(['a', '2'].map((q) => api.get('/search', { q, types: kind })));
    const [found] = asked.flatMap(({ data }) => data);
    if (!found) throw new Error(`No ${kind} was found`);
    expect(found.type).toBe(kind);
    const get = getOperationOf({ ...operations['me.get'], resource: kind });
    if (!get) {
      expect([kind, found.app_url]).toEqual(['quote', `${dealkeep.core.origin}/quotes/${found.id}`]);
      continue;
    }
    expect(get.scope).toBe(searchedKinds[kind]);
    const { text } = await api.send('GET', get.path.replace(/\{\w+\}/, found.id));
    expect(JSON.parse(text).data.app_url).toBe(found.app_url);
  }
});
