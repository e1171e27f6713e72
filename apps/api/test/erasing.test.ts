import { randomUUID } from 'node:crypto';
import { operations, type Scope } from '@dealkeep/contract';
import { createApiKey, createRole } from '@dealkeep/core/accounts';
import { connectedUser, eventually, inConsole, lockWaits, sharedDealkeep } from '@dealkeep/testing';
import { openBusiness } from '@dealkeep/testing/business';
import { describe, expect, test } from 'vitest';
import { addUser } from './console-edits.ts';

const dealkeep = await sharedDealkeep();
const { core, sql } = dealkeep;

type Business = Awaited<ReturnType<typeof openBusiness>>;

/** What an erasure answers. */
interface Erasure {
  id: string;
  record_id: string;
  requested_at: string;
  finished_at: string | null;
  records: number;
  events: number;
  deliveries: number;
  attempts: number;
  answers: number;
}

const erase = (api: Business['api'], path: string, headers: Record<string, string> = {}) =>
  api.send<Erasure>('POST', `${path}/erase`, { headers });

/** A company with a contact. */
async function acme(api: Business['api']) {
  const { data: company } = await api.post('/companies', { name: 'Acme', email: 'info@acme.example' });
  const { data: contact } = await api.post('/contacts', {
    company_id: company.id,
    name: 'Eva',
    email: 'eva@acme.example',
  });
  return {
    company: `/companies/${company.id}` as const,
    contact: `/contacts/${contact.id}` as const,
    ...company,
  };
}

describe('who may erase', () => {
  const userKey = async ({ organization }: Business, scopes: Scope[]) => {
    const name = `seller-${randomUUID()}`;
    await createRole(core, { organization: organization.slug, name, permissions: 'companies.edit=all' });
    const email = `${name}@b.example`;
    await addUser({ dealkeep, organization }, 'Ján', { email, role: name });
    const grant = { scopes };
    const key = await createApiKey(core, { organization: organization.slug, name, grant, user: email });
    return dealkeep.as(key.token);
  };

  test('a key of somebody who is no owner is refused, whatever its scopes (rule erasing 1)', async () => {
    const business = await openBusiness(dealkeep);
    const { company } = await acme(business.api);
    const api = await userKey(business, ['companies:read', 'companies:write']);
    expect((await api.patch(company, { note: 'May write' })).status).toBe(200);
    const refused = await erase(api, company);
    expect([refused.outcome, refused.error.message]).toEqual([
      '403 FORBIDDEN',
      'Only an API key of an owner of the organization can do this, no connected application. Use such a key, or do it in the console.',
    ]);
    expect((await business.api.get(company)).data.name).toBe('Acme');
  });

  test('a connection is refused, also that of an owner (rule erasing 1)', async () => {
    const { api, organization } = await openBusiness(dealkeep);
    const { company } = await acme(api);
    const connected = await connectedUser(dealkeep, organization, 'companies.edit=all,companies.create=all', [
      'companies:write',
    ]);
    await sql`update memberships set role_id = null where id = ${connected.id}`;
    const refused = await erase(dealkeep.as(connected.token, { writesOnly: true }), company, {
      'Accept-Language': 'sk',
    });
    expect([refused.outcome, refused.error.message]).toEqual([
      '403 FORBIDDEN',
      'Toto môže iba API kľúč vlastníka organizácie, nie pripojená aplikácia. Použite taký kľúč alebo to urobte v konzole.',
    ]);
  });

  test('the key needs the scope by which such records are written, and no other (rules erasing 1 and 2)', async () => {
    const { api, organization } = await openBusiness(dealkeep);
    const { company } = await acme(api);
    const others = Object.values(operations).flatMap(({ scope }) =>
      scope && scope !== 'companies:write' ? [scope] : [],
    );
    const without = await organization.createKey({ scopes: [...new Set(others)] });
    expect((await erase(dealkeep.as(without.token), company)).outcome).toBe('403 FORBIDDEN');
    const alone = await organization.createKey({ scopes: ['companies:write'] });
    const { data } = await erase(dealkeep.as(alone.token), company);
    expect(data).toMatchObject({ record_id: company.split('/')[2], records: 2 });
  });

  test('records of others, and unknown ones, are not there', async () => {
    const [{ api }, stranger] = [await openBusiness(dealkeep), await openBusiness(dealkeep)];
    const { company, contact } = await acme(api);
    for (const path of [company, contact, `/clients/${randomUUID()}`, `/leads/${randomUUID()}`, '/leads/x']) {
      expect((await erase(stranger.api, path)).outcome).toBe('404 NOT_FOUND');
    }
    expect((await api.get(contact)).data.name).toBe('Eva');
  });

  test('who asked, with which key, is in the log of erasures, and nothing of what was erased (rule erasing 4)', async () => {
    const { api, organization } = await openBusiness(dealkeep);
    const { company, contact } = await acme(api);
    const { data } = await erase(api, contact);
    await inConsole(core, organization, 'companies.erase', { id: company.split('/')[2] ?? '' });
    const entries = await sql`
      select id, kind, requested_by, api_key_id, to_json(e)::text as whole from erasures e
      where organization_id = ${organization.id} order by id`;
    expect(entries).toMatchObject([
      { id: data.id, kind: 'contact', requested_by: organization.ownerId, api_key_id: organization.keyId },
      { kind: 'company', requested_by: organization.ownerId, api_key_id: null },
    ]);
    expect(entries.map(({ whole }) => whole).join()).not.toMatch(/Eva|Acme|acme/);
  });
});

describe('an erased record', () => {
  test('is there under its id, says so by its name, and has changed; no event tells (rules erasing 4, 6 and 11)', async () => {
    const { api, organization } = await openBusiness(dealkeep);
    const { company, id, created_at } = await acme(api);
    const { data: erasure } = await erase(api, company);
    expect(erasure.finished_at).not.toBeNull();
    const { data } = await api.get(company);
    expect(data).toMatchObject({ id, created_at, name: '[erased]', email: null });
    const since = await api.get('/companies', { updated_since: erasure.requested_at });
    expect(since.page.data).toMatchObject([{ id, name: '[erased]' }]);
    expect((await dealkeep.eventsOf(organization)).map(({ type }) => type)).toEqual([
      'company.created',
      'contact.created',
    ]);
  });

  test('takes no personal data any more, through the API or in the console: 409 (rule erasing 11)', async () => {
    const { api, organization } = await openBusiness(dealkeep);
    const { company, contact, id } = await acme(api);
    const { data: client } = await api.post('/clients', { company_id: id });
    const { data: lead } = await api.post('/leads', { company_id: id, name: 'Bikes' });
    await erase(api, company);
    const changes = [
      await api.patch(company, { name: 'Acme again' }),
      await api.patch(company, { tags: ['VIP'] }),
      await api.patch(contact, { phone: '1' }),
      await api.patch(`/clients/${client.id}`, { note: 'Pays late' }),
      await api.patch(`/leads/${lead.id}`, { note: 'Bikes' }),
      await api.post('/companies/upsert', { match_by: 'name', name: '[erased]', email: 'a@b.example' }),
    ];
    expect(changes.map(({ outcome }) => outcome)).toEqual(changes.map(() => '409 CONFLICT'));
    expect(changes[0]?.error.message).toBe(
      'The personal data of this record was erased, and the record takes no such data any more. Make a new one.',
    );
    const addresses = { id: contact.split('/')[2] ?? '', further_emails: [], further_phones: ['1'] };
    await expect(inConsole(core, organization, 'contacts.addresses', addresses)).rejects.toMatchObject({
      key: 'record.erased',
    });
    expect((await api.patch(company, { owner_id: organization.ownerId })).status).toBe(200);
  });

  test('is erased again without harm: there is nothing left to do (rules erasing 2 and 3)', async () => {
    const { api } = await openBusiness(dealkeep);
    const { company } = await acme(api);
    const { data: first } = await erase(api, company);
    expect(first).toMatchObject({ records: 2, events: 2, answers: 0 });
    const { data: before } = await api.get(company);
    const { data: second } = await erase(api, company);
    expect(second).toMatchObject({ records: 0, events: 0, deliveries: 0, attempts: 0, answers: 0 });
    expect(second.finished_at).not.toBeNull();
    expect((await api.get(company)).data).toEqual(before);
  });

  test('a repeat with the same key is answered the same', async () => {
    const { api } = await openBusiness(dealkeep);
    const { contact } = await acme(api);
    const [first, second] = [
      await erase(api, contact, { 'Idempotency-Key': 'once' }),
      await erase(api, contact, { 'Idempotency-Key': 'once' }),
    ];
    expect([second.status, second.text]).toEqual([200, first.text]);
    expect(first.headers.get('etag')).toBeNull();
  });

  test('If-Match keeps from erasing what has changed since', async () => {
    const { api } = await openBusiness(dealkeep);
    const { company } = await acme(api);
    const tag = (await api.get(company)).headers.get('etag') ?? '';
    await api.patch(company, { note: 'Changed' });
    expect((await erase(api, company, { 'If-Match': tag })).outcome).toBe('412 PRECONDITION_FAILED');
    const now = (await api.get(company)).headers.get('etag') ?? '';
    expect((await erase(api, company, { 'If-Match': now })).status).toBe(200);
  });

  test('takes no body', async () => {
    const { api } = await openBusiness(dealkeep);
    const { company } = await acme(api);
    expect((await api.send('POST', `${company}/erase`, { json: { name: 'x' } })).outcome).toBe(
      '422 VALIDATION_ERROR',
    );
    expect((await api.get(company)).data.name).toBe('Acme');
  });
});

describe('at the same moment', () => {
  test('changes of the record come before it or are refused: nothing of them is left (rule erasing 12)', async () => {
    const business = await openBusiness(dealkeep);
    const { api } = business;
    const { company, contact } = await acme(api);
    const change = (n: number) =>
      n % 2 === 0
        ? api.patch(company, { name: `Acme ${n}` })
        : api.patch(contact, { note: `Likes tea ${n}` });
    const changes = Array.from({ length: 20 }, (_, n) => change(n));
    const erased = [erase(api, company), erase(api, company)];
    const outcomes = await Promise.all([...changes, ...Array.from({ length: 20 }, (_, n) => change(n))]);
    expect((await Promise.all(erased)).map(({ status }) => status)).toEqual([200, 200]);
    const told = new Set(outcomes.map(({ outcome }) => outcome));
    expect([...told].filter((outcome) => !['200', '409 CONFLICT'].includes(outcome))).toEqual([]);
    expect((await api.get(company)).data).toMatchObject({
      name: '[erased]',
      contacts: [{ name: '[erased]', note: null }],
    });
  });

  test('a contact that is being added to the company is waited for, and erased, too (rule erasing 12)', async () => {
    const { api, organization } = await openBusiness(dealkeep);
    const { company, id } = await acme(api);
    let erasing: ReturnType<typeof erase> | undefined;
    await sql.begin(async (tx) => {
      await tx`
        insert into contacts (organization_id, id, company_id, name, created_at, updated_at)
        values (${organization.id}, ${randomUUID()}, ${id}, 'Late', now(), now())`;
      erasing = erase(api, company);
      await eventually(async () => expect(await lockWaits(sql)).toBe(1));
    });
    expect((await erasing)?.data.records).toBe(3);
    const names = (await api.get(company)).data.contacts.map(({ name }) => name);
    expect(names).toEqual(['[erased]', '[erased]']);
  });
});

describe('what belongs to the record', () => {
  const ordered = async (api: Business['api'], customer: object) =>
    (
      await api.post('/orders', {
        customer: { name: 'Eva', ...customer },
        items: [{ sku: 'x', quantity: 1, unit_price: 5 }],
      })
    ).data.uuid;

  test('are orders of the same address that name nobody of ours; those of others stay (rule erasing 5)', async () => {
    const { api } = await openBusiness(dealkeep);
    const { contact, id } = await acme(api);
    const { data: other } = await api.post('/companies', { name: 'Other' });
    const email = 'EVA@acme.example';
    const own = [await ordered(api, { email }), await ordered(api, { email, company_uuid: id })];
    const strange = [
      await ordered(api, { email, company_uuid: other.id }),
      await ordered(api, { email: 'jan@acme.example' }),
    ];
    await erase(api, contact);
    for (const uuid of own) {
      expect((await api.get(`/orders/${uuid}`)).data).toMatchObject({
        customer_name: null,
        customer_email: null,
      });
    }
    for (const uuid of strange) expect((await api.get(`/orders/${uuid}`)).data.customer_name).toBe('Eva');
  });

  test('a former link counts in events: they say nothing of a contact that a lead had once (rule erasing 7)', async () => {
    const { api, organization } = await openBusiness(dealkeep);
    const { contact, id } = await acme(api);
    const { data: other } = await api.post('/contacts', { company_id: id, name: 'Ján' });
    const { data: lead } = await api.post('/leads', { name: 'Bikes', contact_id: contact.split('/')[2] });
    await api.patch(`/leads/${lead.id}`, { contact_id: other.id });
    await erase(api, contact);
    expect((await api.get(`/leads/${lead.id}`)).data).toMatchObject({
      name: 'Bikes',
      contact: { name: 'Ján' },
    });
    const [created, updated] = await dealkeep.eventsOf(organization, lead.id);
    expect(created?.data).toMatchObject({
      name: 'Bikes',
      contact: { name: '[erased]', email: null, phone: null },
    });
    expect(updated).toMatchObject({
      data: { name: 'Bikes', contact: { name: 'Ján' } },
      previous: { contact: { name: '[erased]', email: null } },
    });
  });
});
