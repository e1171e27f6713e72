import { eventually, inConsole, lockWaits, sharedDealkeep } from '@dealkeep/testing';
import { openBusiness } from '@dealkeep/testing/business';
import { expect, test } from 'vitest';

const dealkeep = await sharedDealkeep();
const { core, sql } = dealkeep;

test.each([
  ['companies.update', { name: 'From the form' }],
  ['companies.labels', { tags: [] }],
] as const)('%s by a form does not follow what a program changes at that very moment', async (id, body) => {
  const { api, organization } = await openBusiness(dealkeep);
  const company = (await api.post('/companies', { name: 'Acme' })).data;
  let sent: Promise<unknown> | undefined;
  await core.sql.begin(async (tx) => {
    await tx`
      update companies set name = 'From a program', updated_at = ${new Date(Date.parse(company.updated_at ?? '') + 1000).toISOString()}
      where organization_id = ${organization.id} and id = ${company.id}`;
    const form = { id: company.id, ...body };
    sent = inConsole(core, organization, id, form, { unchangedSince: company.updated_at ?? '' });
    sent.catch(() => {});
    await eventually(async () => expect(await lockWaits(sql)).toBe(1));
  });
  await expect(sent).rejects.toMatchObject({ key: 'record.changed' });
  expect((await api.get(`/companies/${company.id}`)).data.name).toBe('From a program');
});

test('a form whose record nobody changed is carried out', async () => {
  const { api, organization } = await openBusiness(dealkeep);
  const company = (await api.post('/companies', { name: 'Acme' })).data;
  const form = { id: company.id, name: 'From the form' };
  await inConsole(core, organization, 'companies.update', form, { unchangedSince: company.updated_at ?? '' });
  expect((await api.get(`/companies/${company.id}`)).data.name).toBe('From the form');
});
