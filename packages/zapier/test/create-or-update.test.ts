import { inConsole, sharedDealkeep } from '@dealkeep/testing';
import { describe, expect, test } from 'vitest';
import { failureOf } from './platform/failure.ts';
import { inputFieldsOf } from './platform/input-fields-of.ts';
import { act, ask, type Values } from './platform/setting.ts';
import { startPrivate } from './platform/start-in-process.ts';

const dealkeep = await sharedDealkeep();
const { platform, newAccount } = await startPrivate(dealkeep);

async function openOffice() {
  const { setting, organization } = await newAccount();
  const upsert = (kind: string, input: Values) => act(setting, `create_or_update_${kind}`, input);
  const make = (path: string, body: Values) => ask(setting, 'POST', path, body);
  return { setting, organization, upsert, make };
}
const atOnce = 8;

describe('Create or Update (rule zapier 24)', () => {
  test('makes a company, then changes it, then finds it as it is, and tells which', async () => {
    const { upsert } = await openOffice();
    const input = { match_by: 'registration_id', registration_id: '36123456', name: 'Tatra', phone: '1' };
    const made = await upsert('company', input);
    expect(made).toMatchObject({ name: 'Tatra', upserted: 'created' });
    const { id } = made;
    const again = { match_by: 'registration_id', registration_id: '36123456', note: 'Mornings', phone: '' };
    expect(await upsert('company', again)).toMatchObject({
      id,
      name: 'Tatra',
      phone: '1',
      note: 'Mornings',
      upserted: 'updated',
    });
    expect(await upsert('company', again)).toMatchObject({ id, upserted: 'unchanged' });
    const cleared = { ...again, fields_to_clear: ['phone'] };
    expect(await upsert('company', cleared)).toMatchObject({ id, phone: null, upserted: 'updated' });
  });

  test('finds a contact by e-mail, in its company when one is chosen, and a client by its company', async () => {
    const { upsert, make } = await openOffice();
    const [one, other] = [
      await make('/companies', { name: 'One' }),
      await make('/companies', { name: 'Two' }),
    ];
    const input = { match_by: 'email', email: 'eva@tatra.example', name: 'Eva', company_id: one['id'] };
    const made = await upsert('contact', input);
    expect(made).toMatchObject({ upserted: 'created' });
    expect(await upsert('contact', { ...input, company_id: '', position: 'Owner' })).toMatchObject({
      id: made['id'],
      position: 'Owner',
      upserted: 'updated',
    });
    expect(await upsert('contact', { ...input, company_id: other['id'] })).toMatchObject({
      upserted: 'created',
    });
    const client = { match_by: 'company_id', company_id: one['id'], note: 'Monthly' };
    const first = await upsert('client', client);
    expect(first).toMatchObject({ upserted: 'created' });
    expect(await upsert('client', client)).toMatchObject({ id: first['id'], upserted: 'unchanged' });
  });

  test.each([
    ['company', '/companies', { match_by: 'email', email: 'info@tatra.example', name: 'Tatra' }],
    ['contact', '/contacts', { match_by: 'email', email: 'eva@tatra.example', name: 'Eva' }],
    ['client', '/clients', { match_by: 'reference_code', reference_code: 'C-1' }],
  ])('of many runs at once makes one %s', async (kind, path, input) => {
    const { upsert, make, setting } = await openOffice();
    const company =
      kind === 'company' ? {} : { company_id: (await make('/companies', { name: 'Firm' }))['id'] };
    const runs = Array.from({ length: atOnce }, (_, run) =>
      upsert(kind, { ...company, ...input, note: `Run ${run}` }),
    );
    const done = await Promise.all(runs);
    expect(new Set(done.map(({ id }) => id)).size).toBe(1);
    expect(done.filter(({ upserted }) => upserted === 'created')).toHaveLength(1);
    expect(await ask(setting, 'GET', path)).toHaveLength(1);
  });

  test('of several that match changes none, names them and says what to do', async () => {
    const { upsert, make } = await openOffice();
    for (let index = 0; index < 7; index += 1) {
      await make('/companies', { name: `Tatra ${index}`, email: 'info@tatra.example' });
    }
    const input = { match_by: 'email', email: 'info@tatra.example', name: 'Tatra' };
    const failure = await failureOf(upsert('company', input));
    expect(failure.name).toBe('HaltedError');
    expect(failure.message).toMatch(
      /^Match By: Several Companies have this Email: (Tatra \d \(http[^ )]+\/companies\/[^ )]+\), ){4}Tatra \d \(http[^ )]+\) and 2 more\. Nothing was written\. Correct these records in Dealkeep, match by another field, or choose one of them with Update Company\.$/,
    );
  });

  test('without the value to match by, or without what a new one needs, names the box', async () => {
    const { upsert } = await openOffice();
    const told = async (input: Values) => (await failureOf(upsert('company', input))).message;
    expect(await told({ match_by: 'email', name: 'Tatra' })).toMatch(/^Email: /);
    expect(await told({ match_by: 'email', email: 'info@tatra.example' })).toMatch(/^Name: /);
    expect(await told({ name: 'Tatra' })).toMatch(/^Match By: /);
  });

  test('asks first by what to match, with the help of the contract', async () => {
    const { setting } = await openOffice();
    const form = async (kind: string) =>
      inputFieldsOf(platform, setting.connection, `creates.create_or_update_${kind}`);
    const [first, ...rest] = await form('company');
    expect(first).toMatchObject({
      key: 'match_by',
      label: 'Match By',
      required: true,
      choices: { registration_id: 'Registration ID', email: 'Email', name: 'Name' },
      helpText: expect.stringContaining('The field by which an existing record is found'),
    });
    expect(rest.filter(({ required }) => required)).toEqual([]);
    expect(rest.find(({ key }) => key === 'name')?.helpText).toBe('Needed when a new one is created.');
    const [ofContact] = await form('contact');
    expect(ofContact?.helpText).toContain('within the company when company_id is given');
    expect((await form('client'))[0]?.choices).toEqual({
      company_id: 'Company',
      reference_code: 'Reference Code',
    });
  });

  test('takes custom fields and tags', async () => {
    const { upsert, organization } = await openOffice();
    const body = { name: 'Segment', type: 'text', required: false };
    const { id } = await inConsole(dealkeep.core, organization, 'custom-fields.add', body);
    const input = { match_by: 'name', name: 'Tatra', tags: ['VIP'], [`custom_fields__${id}`]: 'Retail' };
    const expected = { tags: ['VIP'], custom_fields: { Segment: 'Retail' } };
    expect(await upsert('company', input)).toMatchObject({ ...expected, upserted: 'created' });
    expect(await upsert('company', input)).toMatchObject({ ...expected, upserted: 'unchanged' });
  });
});
