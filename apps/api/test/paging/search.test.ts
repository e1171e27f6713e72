import { sharedDealkeep } from '@dealkeep/testing';
import { type Business, openBusiness } from '@dealkeep/testing/business';
import { beforeAll, expect, test } from 'vitest';
import { addTag, addUser } from '../console-edits.ts';
import { everyList } from './every-list.ts';
import { recordMakers } from './record-makers.ts';

const dealkeep = await sharedDealkeep();
let business: Business;
beforeAll(async () => {
  business = await openBusiness(dealkeep);
  const { api, organization } = business;
  const company = (await api.post('/companies', { name: 'Žltý kôň' })).data.id;
  await api.post('/contacts', { company_id: company, name: 'Žltý Ján' });
  await api.post('/clients', { company_id: company });
  const other = (await api.post('/companies', { name: 'Acme' })).data.id;
  await api.post('/clients', { company_id: other, reference_name: 'ŽLTÝ' });
  await api.post('/leads', { name: 'Predaj: žltý' });
  await api.post('/leads', { name: 'Z lty' });
  await api.post('/tasks', { title: 'Zavolať, ŽLTÝ' });
  await addTag({ dealkeep, organization }, 'Žltý', { table: 'companies', ids: [company] });
  await addUser({ dealkeep, organization }, 'Žltý');
});

test.each([
  ['/companies', 1],
  ['/contacts', 1],
  ['/clients', 2],
  ['/leads', 1],
  ['/tasks', 1],
  ['/tags', 1],
  ['/users', 1],
])('q ignores case, diacritics and Unicode form in %s (rule lists 18)', async (path, found) => {
  for (const q of ['zlty', 'ZLTÝ', 'Žltý', 'Žltý'.normalize('NFD'), 'žL', 'žlt']) {
    const { page } = await business.api.get(`${path}?${new URLSearchParams({ q })}`);
    expect(page.data, `${path} ${q}`).toHaveLength(found);
  }
  const { page } = await business.api.get(`${path}?q=zltx`);
  expect(page.data).toEqual([]);
});

test('every list that is searched finds nothing in what has not the text, of one sign and of many (rule lists 4)', async () => {
  const makers = await recordMakers(dealkeep, business);
  const searched = everyList.filter(({ parameters }) => 'q' in parameters);
  expect(searched.length).toBeGreaterThan(15);
  for (const { path } of searched) {
    await makers[path]?.make(1);
    for (const q of ['§', "'; --", '\\%']) {
      const { page } = await business.api.get(`${path}?${new URLSearchParams({ q })}`);
      expect(page.data, `${path} ${q}`).toEqual([]);
    }
  }
});
