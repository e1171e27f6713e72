import { sharedDealkeep } from '@dealkeep/testing';
import { describe, expect, test } from 'vitest';
import { failureOf } from './platform/failure.ts';
import { inputFieldsOf } from './platform/input-fields-of.ts';
import { act, ask, type Values } from './platform/setting.ts';
import { startPrivate } from './platform/start-in-process.ts';

const dealkeep = await sharedDealkeep();
const { newAccount } = await startPrivate(dealkeep);
const { setting } = await newAccount();

const formOf = (input: Values = {}) =>
  inputFieldsOf(setting.platform, setting.connection, 'creates.create_lead', input);
const about = async (whom: 'company' | 'contact', input: Values = {}) =>
  (await formOf(input)).filter(({ key: name }) => name.startsWith(whom)).map(({ label }) => label);

const details = {
  company: ['Company Name', 'Company Email', 'Company Phone', 'Company Country', 'Company Registration ID'],
  contact: ['Contact Name', 'Contact Email', 'Contact Phone', 'Contact Position'],
};

describe('the form of a lead (rule zapier 23)', () => {
  test('asks once which company and which contact it is, and begins with their details', async () => {
    expect(await about('company')).toEqual(['Company', ...details.company]);
    expect(await about('contact')).toEqual(['Contact', ...details.contact]);
    const [choice] = (await formOf()).filter(({ label }) => label === 'Company');
    expect(choice).toMatchObject({
      default: 'details',
      altersDynamicFields: true,
      choices: { details: 'Find by Details, or Create', existing: 'Choose From the List' },
      helpText: 'Matched by registration ID, e-mail or name; created when none matches, which needs a name.',
    });
  });

  test('shows the list alone when one that exists is to be chosen, each for itself', async () => {
    const chosen = { company_choice: 'existing' };
    expect(await about('company', chosen)).toEqual(['Company', 'Existing Company']);
    expect(await about('contact', chosen)).toEqual(['Contact', ...details.contact]);
    expect(await about('contact', { ...chosen, contact_choice: 'existing' })).toEqual([
      'Contact',
      'Existing Contact',
    ]);
  });

  test('has a section for each, with the choice first', async () => {
    const definition = Object(await setting.platform.definition());
    expect(definition.creates.create_lead.operation.inputFieldGroups).toEqual([
      { key: 'company', label: 'Company' },
      { key: 'contact', label: 'Contact' },
    ]);
    for (const input of [{}, { company_choice: 'existing', contact_choice: 'existing' }]) {
      for (const whom of ['company', 'contact']) {
        const section = (await formOf(input)).filter((field) => field['group'] === whom);
        expect(section.map(({ key: name }) => name)[0]).toBe(`${whom}_choice`);
        expect(section.length).toBeGreaterThan(1);
      }
    }
  });
});

describe('a lead (rule zapier 23)', () => {
  test('is of the company that was chosen, although details are left from before the choice', async () => {
    const company = await ask(setting, 'POST', '/companies', { name: 'Chosen' });
    const lead = await act(setting, 'create_lead', {
      company_choice: 'existing',
      company_id: company['id'],
      company__name: 'Described',
    });
    expect(lead).toMatchObject({ company: { id: company['id'] } });
  });

  test('is of the company that was described, although one is left chosen from before', async () => {
    const company = await ask(setting, 'POST', '/companies', { name: 'Chosen' });
    const lead = await act(setting, 'create_lead', {
      company_choice: 'details',
      company_id: company['id'],
      company__name: 'Described',
      contact_choice: 'details',
      contact_id: { no: 'id' },
      contact__name: 'Eva',
    });
    expect(lead).toMatchObject({ company: { name: 'Described' }, contact: { name: 'Eva' } });
  });

  test('of both at once, without a choice, is told by the labels of the form', async () => {
    const company = await ask(setting, 'POST', '/companies', { name: 'Chosen' });
    const both = act(setting, 'create_lead', { company_id: company['id'], company__name: 'Described' });
    expect((await failureOf(both)).message).toMatch(/^(Existing )?Company: .*/);
  });
});
