import { readFile } from 'node:fs/promises';
import { sharedDealkeep } from '@dealkeep/testing';
import { expect, test } from 'vitest';
import { pasted, sendPasted } from './pasted-command.ts';

const guide = await readFile(new URL('../../../../docs/forgetting.md', import.meta.url), 'utf8');

test('the command of the page forgets a contact', async () => {
  const dealkeep = await sharedDealkeep();
  const { key } = await dealkeep.createOrganization();
  const api = dealkeep.as(key);
  const { data: company } = await api.post('/companies', { name: 'Acme' });
  const { data: contact } = await api.post('/contacts', { company_id: company.id, name: 'Eva' });
  const command = /```sh\n(.*?)```/s.exec(guide)?.[1] ?? '';
  const environment = { BASE_URL: 'http://here/api/v1/public', DEALKEEP_KEY: key, CONTACT: contact.id };
  const sent = await sendPasted(pasted(command, environment), ['http://here', dealkeep.origin]);
  expect(sent).toMatchObject({ status: 200, body: { data: { record_id: contact.id, records: 1 } } });
  expect((await api.get(`/contacts/${contact.id}`)).data.name).toBe('[erased]');
});
