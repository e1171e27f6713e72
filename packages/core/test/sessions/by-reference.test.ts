import type { Session } from '@dealkeep/core/accounts';
import { runAsUser, runOnManyAsUser } from '@dealkeep/core/operations';
import { inConsole, sharedDealkeep } from '@dealkeep/testing';
import { unseenRecords } from '@dealkeep/testing/business';
import { expect, test } from 'vitest';
import { expectNothingOf } from './references-walk.ts';

// Of a role that shows only some records: what those refer to. All kinds are walked in every-reference.test.ts.

const dealkeep = await sharedDealkeep();
const { core } = dealkeep;

const shared = unseenRecords(dealkeep);

test('the search neither finds nor shows what a person may not see (rule scopes 13)', async () => {
  const records = await shared;
  const { session } = records;
  const find = async (q: string) => runAsUser(core, session, 'search.all', { query: [['q', q]] });
  const found = await find('Plain');
  expect(found.map(({ type }) => type).toSorted()).toEqual(
    expect.arrayContaining(['activity', 'client', 'company', 'lead', 'order', 'task']),
  );
  expectNothingOf(records, found, 'search');
  for (const secret of records.secrets) expect(await find(secret), secret).toEqual([]);
});

test('an inline company or contact matches no record that a person may not see (rule leads 30)', async () => {
  const records = await shared;
  const { session, own, user, unseen } = records;
  const described = { name: 'Veiled Works', email: 'office@veiled.example', registration_id: '87654321' };
  const create = (body: object) =>
    runAsUser(core, session, 'leads.create', { body: { name: 'Inline', owner_id: user.id, ...body } });
  const first = await create({ company: described, contact: { name: 'Veronika Veiled' } });
  expect(first.company).toMatchObject({ name: 'Veiled Works' });
  expect(first.company?.id).not.toBe(unseen.company);
  // It is their own now, and matched the next time.
  const second = await create({ company: described, contact: { name: 'Veronika Veiled' } });
  expect([second.company, second.contact]).toEqual([first.company, first.contact]);
  expect(first.contact?.email).toBeNull();
  const ofOwn = await create({ company: { name: 'Plain Works' }, contact: { name: 'Plain person' } });
  expect([ofOwn.company?.id, ofOwn.contact?.id]).toEqual([own.company, own.contact]);
  // The lead that "dedupe" finds is one of theirs, too.
  await inConsole(core, records.organization, 'leads.create', { company_id: own.company });
  const deduplicated = await create({ company: { name: 'Plain Works' }, dedupe: 'company' });
  expect(deduplicated).toMatchObject({ id: ofOwn.id, deduplicated: true });
});

test('many records at once are judged alike, and what was shown before is kept (rule scopes 13)', async () => {
  const { session, own, unseen, api } = await shared;
  const ids = [own.task];
  const [refused] = await runOnManyAsUser(
    core,
    session,
    'tasks.update',
    { ids, body: { lead_id: unseen.lead } },
    crypto.randomUUID(),
  );
  expect(refused?.problem?.ofFields).toEqual([{ path: 'lead_id', key: 'field.not_found' }]);
  const [done] = await runOnManyAsUser(
    core,
    session,
    'tasks.update',
    { ids, body: { title: 'Renamed' } },
    crypto.randomUUID(),
  );
  expect(done?.problem).toBeUndefined();
  expect((await api.get(`/tasks/${own.task}`)).data).toMatchObject({
    title: 'Renamed',
    company: { id: unseen.company },
    lead: { id: unseen.lead },
  });
});

test('a client is called by its company; a role that shows all is shown all (rules scopes 8 and 13)', async () => {
  const records = await shared;
  const as = (permissions: Session['user']['permissions']): Session => ({
    ...records.session,
    user: { ...records.session.user, permissions },
  });
  const some = { ...records, session: as({ 'clients.view': 'all', 'leads.view': 'all' }) };
  const of = { path: { id: some.unseen.client } };
  expect((await runAsUser(core, some.session, 'clients.get', of)).company).toEqual({
    id: some.unseen.company,
    name: 'Veiled Works',
    registration_id: null,
  });
  const lead = await runAsUser(core, some.session, 'leads.get', { path: { id: some.own.lead } });
  expect([lead.company, lead.contact, lead.client?.name]).toEqual([null, null, 'Veiled Works']);
  const all = as({ 'leads.view': 'all', 'companies.view': 'all' });
  const whole = await runAsUser(core, all, 'leads.get', { path: { id: some.own.lead } });
  expect(whole).toMatchObject({
    company: { id: some.unseen.company, registration_id: '87654321' },
    contact: { email: 'veronika@veiled.example' },
    client: null,
  });
});
