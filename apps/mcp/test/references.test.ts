import { sharedDealkeep } from '@dealkeep/testing';
import { expect, test } from 'vitest';
import { refusalIn } from './assistant.ts';
import { atWork } from './at-work.ts';

const dealkeep = await sharedDealkeep();

test('a record is named by its name, its ID or an object, wherever a tool asks for one (rule assistants 9)', async () => {
  const { api, call } = await atWork();
  const { data: tatra } = await api.post('/companies', { name: 'Tatra', email: 'info@tatra.example' });
  const { data: peter } = await api.post('/contacts', { company_id: tatra.id, name: 'Peter Novák' });
  for (const given of ['Tatra', { id: tatra.id }, { name: 'tatra' }]) {
    const listed = await call('list_contacts', { company: given });
    expect(listed.structuredContent, JSON.stringify(given)).toMatchObject({ items: [{ id: peter.id }] });
    const lead = await call('create_lead', {
      name: JSON.stringify(given),
      company: given,
      contact: 'Peter Novak',
    });
    expect(lead.structuredContent, JSON.stringify(given)).toMatchObject({
      company: { id: tatra.id },
      contact: { id: peter.id },
    });
  }
  const numbered = await api.post('/companies', { name: 'Numbered', registration_id: '36123456' });
  const read = await call('get_company', { company: 36_123_456 });
  expect(read.structuredContent).toMatchObject({ id: numbered.data.id });
});

test('a lead takes a company and a contact that exist, or describes new ones (rule assistants 9)', async () => {
  const { api, call } = await atWork();
  const { data: tatra } = await api.post('/companies', { name: 'Tatra' });
  const made = await call('create_lead', {
    name: 'Ten',
    company: { name: 'Zvon s.r.o.' },
    contact: { name: 'Eva' },
  });
  expect(made.structuredContent).toMatchObject({
    company: { name: 'Zvon s.r.o.' },
    contact: { name: 'Eva' },
  });
  const both = await call('create_lead', { company: { name: 'Zvon s.r.o.' }, company_id: tatra.id });
  expect(refusalIn(both)).toContain('Send either company or company_id, not both.');
});

test('a lost reason that is unknown or missing is answered with what there is to choose from (rule assistants 11)', async () => {
  const { api, call, organization } = await atWork();
  const { data: reasons } = (await api.get('/lost-reasons')).page;
  const { data: lead } = await api.post('/leads', { name: 'Ten' });
  for (const reason of ['too expensive', crypto.randomUUID()]) {
    const given = { lead: 'Ten', stage: 'Lost', lost_reason: reason };
    const refused = refusalIn(await call('move_lead', given));
    for (const { name } of reasons) expect(refused).toContain(`- ${JSON.stringify(name)}: `);
  }
  await dealkeep.sql`update pipelines set require_lost_reason = true where organization_id = ${organization.id}`;
  await dealkeep.sql`update organizations set directory_version = directory_version + 1 where id = ${organization.id}`;
  const asked = refusalIn(await call('move_lead', { lead: lead.id, stage: 'Lost' }));
  expect(asked).toContain('- lost_reason: ');
  for (const { name, id } of reasons) expect(asked).toContain(`- ${JSON.stringify(name)}: ${id}`);
});
