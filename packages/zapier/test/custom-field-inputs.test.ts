import { inConsole, sharedDealkeep } from '@dealkeep/testing';
import { describe, expect, test } from 'vitest';
import { failureOf } from './platform/failure.ts';
import { inputFieldsOf } from './platform/input-fields-of.ts';
import { act, findOrCreate, list, type Values } from './platform/setting.ts';
import { startPrivate } from './platform/start-in-process.ts';

const dealkeep = await sharedDealkeep();
const { platform, newAccount } = await startPrivate(dealkeep);

/** An organization with a custom field of each kind, and the keys that these have in forms. */
async function openOffice() {
  const { setting, organization } = await newAccount();
  const define = async (name: string, type: string, more: Values = {}) => {
    const body = { name, type, required: false, ...more };
    const { id } = await inConsole(dealkeep.core, organization, 'custom-fields.add', body);
    return { id, key: `custom_fields__${id}` };
  };
  const [segment, employees, founded, partner, motto] = [
    await define('Segment trhu', 'choice', { choices: ['Retail', 'Wholesale'] }),
    await define('Employees', 'number', { description: 'Full time, at the end of the year.' }),
    await define('Founded', 'date'),
    await define('Partner', 'checkbox'),
    await define('Motto', 'text'),
  ];
  const formOf = (step: string, input: Values = {}) =>
    inputFieldsOf(platform, setting.connection, `creates.${step}`, input);
  return { setting, organization, define, segment, employees, founded, partner, motto, formOf };
}

const told = async (run: Promise<unknown>) => (await failureOf(run)).message;

describe('custom fields of companies (rule zapier 21)', () => {
  test.each(['create_company', 'update_company'])(
    'are boxes of %s with their own labels and kinds, in a section of their own',
    async (step) => {
      const { formOf, segment, employees, founded, partner, motto } = await openOffice();
      const form = await formOf(step);
      const inSection = form.filter((field) => field['group'] === 'custom_fields');
      expect(inSection).toMatchObject([
        {
          key: employees.key,
          label: 'Employees',
          type: 'number',
          helpText: 'Full time, at the end of the year.',
        },
        { key: founded.key, label: 'Founded', type: 'datetime' },
        { key: motto.key, label: 'Motto', type: 'string' },
        { key: partner.key, label: 'Partner', type: 'boolean' },
        {
          key: segment.key,
          label: 'Segment trhu',
          type: 'string',
          choices: { Retail: 'Retail', Wholesale: 'Wholesale' },
        },
      ]);
      const definition = Object(await platform.definition());
      expect(definition.creates[step].operation.inputFieldGroups).toContainEqual({
        key: 'custom_fields',
        label: 'Custom Fields',
      });
    },
  );

  test('are written by their kinds, whatever form the values come in', async () => {
    const { setting, segment, employees, founded, partner, motto } = await openOffice();
    const made = await act(setting, 'create_company', {
      name: 'Tatra',
      [segment.key]: 'Retail',
      [employees.key]: '1 250,5',
      [founded.key]: '1998-05-01T00:00:00+02:00',
      [partner.key]: 'yes',
      [motto.key]: 42,
    });
    expect(made['custom_fields']).toEqual({
      'Segment trhu': 'Retail',
      Employees: '1250.5',
      Founded: '1998-05-01',
      Partner: 'true',
      Motto: '42',
    });
    const changed = await act(setting, 'update_company', {
      id: made['id'],
      [employees.key]: '',
      [partner.key]: false,
      fields_to_clear: [motto.key, 'phone'],
    });
    expect(changed['custom_fields']).toEqual({
      'Segment trhu': 'Retail',
      Employees: '1250.5',
      Founded: '1998-05-01',
      Partner: 'false',
    });
  });

  test('can be cleared by their labels, unless the organization requires them', async () => {
    const { formOf, define, segment } = await openOffice();
    const required = await define('Code', 'text', { required: true });
    const offered = (await formOf('update_company')).find(({ key }) => key === 'fields_to_clear')?.choices;
    expect(offered).toMatchObject({ [segment.key]: 'Segment trhu', phone: 'Phone', tags: 'Tags' });
    expect(Object.keys(Object(offered))).not.toContain(required.key);
    expect((await formOf('create_company')).map(({ key }) => key)).not.toContain('fields_to_clear');
  });

  test('with a value that cannot be are told by their labels', async () => {
    const { setting, segment, employees } = await openOffice();
    const wrong = act(setting, 'create_company', {
      name: 'Tatra',
      [segment.key]: 'Export',
      [employees.key]: 'many',
    });
    const message = await told(wrong);
    expect(message).toContain('Segment trhu: This must be one of: Retail, Wholesale.');
    expect(message).toContain('Employees: This must be a number.');
  });

  test('are filled in under their new name when they were renamed, and also by the next run', async () => {
    const { setting, organization, motto } = await openOffice();
    const create = () => act(setting, 'create_company', { name: 'Tatra', [motto.key]: 'On we go' });
    expect(await create()).toMatchObject({ custom_fields: { Motto: 'On we go' } });
    await inConsole(dealkeep.core, organization, 'custom-fields.edit', { id: motto.id, name: 'Claim' });
    expect(await create()).toMatchObject({ custom_fields: { Claim: 'On we go' } });
    expect(await create()).toMatchObject({ custom_fields: { Claim: 'On we go' } });
  });

  test('that were removed are told, with what to do, and nothing is written', async () => {
    const { setting, organization, motto } = await openOffice();
    await inConsole(dealkeep.core, organization, 'custom-fields.remove', { id: motto.id });
    expect(await told(act(setting, 'create_company', { name: 'Tatra', [motto.key]: 'On we go' }))).toBe(
      'Custom Fields: A field that this step fills in was removed in Dealkeep. Open the step, refresh its fields and take out the one that is no longer there.',
    );
    expect(await list(setting, 'searches.find_company', { search_name: 'Tatra' })).toEqual([]);
  });

  test('are filled in although the cache of the platform is down', async () => {
    const { setting, motto } = await openOffice();
    platform.rpc.broken = true;
    try {
      const made = await act(setting, 'create_company', { name: 'Tatra', [motto.key]: 'On we go' });
      expect(made).toMatchObject({ custom_fields: { Motto: 'On we go' } });
    } finally {
      platform.rpc.broken = false;
    }
  });

  test('of one organization are never those of another that uses the same integration', async () => {
    const [one, other] = [await openOffice(), await openOffice()];
    await act(one.setting, 'create_company', { name: 'Tatra', [one.motto.key]: 'Ours' });
    expect(
      await act(other.setting, 'create_company', { name: 'Tatra', [other.motto.key]: 'Theirs' }),
    ).toMatchObject({ custom_fields: { Motto: 'Theirs' } });
    expect(
      await told(act(other.setting, 'create_company', { name: 'Tatra', [one.motto.key]: 'Ours' })),
    ).toContain('was removed');
  });

  test('of a Find or Create are given to the new company', async () => {
    const { setting, employees } = await openOffice();
    const input = { search_name: 'Tatra', name: 'Tatra', [employees.key]: 7 };
    const made = await findOrCreate(setting, 'find_company', input);
    expect(made).toMatchObject({ custom_fields: { Employees: '7' } });
    expect(await findOrCreate(setting, 'find_company', { ...input, [employees.key]: 8 })).toEqual(made);
  });
});
