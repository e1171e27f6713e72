import { sharedDealkeep } from '@dealkeep/testing';
import { openBusiness } from '@dealkeep/testing/business';
import { expect, test } from 'vitest';

// Every path, reference and filter of the contract is asked by `foreign-records.long.test.ts`.

const dealkeep = await sharedDealkeep();
const [ours, theirs] = await Promise.all([openBusiness(dealkeep), openBusiness(dealkeep)]);
const nobody = '01985f6e-2c41-7d3a-9b52-4f0c8a7e1d63';
const company = (await theirs.api.post('/companies', { name: 'Theirs' })).data.id;
const lead = (await theirs.api.post('/leads', { name: 'Theirs', company_id: company })).data.id;

test('a record of another organization is answered like one that there is not (rule http 5)', async () => {
  for (const [method, path, json] of [
    ['GET', '/leads/{id}', undefined],
    ['PATCH', '/leads/{id}', { name: 'Ours' }],
    ['POST', '/leads/{id}/archive', {}],
    ['POST', '/leads/{id}/erase', undefined],
  ] as const) {
    const ask = (id: string) => ours.api.send(method, path.replace('{id}', id), { json });
    const refused = await ask(lead);
    expect([path, refused.outcome]).toEqual([path, '404 NOT_FOUND']);
    expect((await ask(nobody)).error).toEqual(refused.error);
    expect((await ask('no-uuid')).error).toEqual(refused.error);
  }
  expect((await theirs.api.get(`/leads/${lead}`)).data).toMatchObject({ name: 'Theirs', archived_at: null });
});

test('a reference to one, beside whatever else is wrong, is not_found (rule bodies 25)', async () => {
  for (const company_id of [company, nobody]) {
    expect((await ours.api.post('/leads', { company_id })).fields).toEqual({ company_id: 'not_found' });
    const more = await ours.api.post('/leads', { company_id, nonsense: true });
    expect(more.fields).toEqual({ company_id: 'not_found', nonsense: 'unknown' });
  }
});

test('a filter by one, and a list without it, find nothing of it (rule lists 3)', async () => {
  expect((await ours.api.get('/leads', { company_id: company })).page.data).toEqual([]);
  expect((await ours.api.get('/leads')).page.data).toEqual([]);
});
