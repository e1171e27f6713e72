import { createLookup, editCompanyLabels, updateLookup } from '@dealkeep/core';
import { startDealkeep } from '@dealkeep/testing';
import { afterAll, expect, test } from 'vitest';
import { apiKey, integration } from '../src/index.ts';
import { keyConnection } from './platform/connection.ts';
import { startHookReceiver } from './platform/hook-receiver.ts';
import { outputFieldsOf } from './platform/output-fields-of.ts';
import { startInProcess } from './platform/platform.ts';
import { act, ask, list, type Setting } from './platform/setting.ts';
import { makeZap } from './platform/zap.ts';

const dealkeep = await startDealkeep();
const platform = await startInProcess(integration(apiKey));
const receiver = await startHookReceiver();

afterAll(async () => {
  await platform.close();
  await receiver.close();
});

/** An organization with a custom field of each kind. */
async function openOffice() {
  const { key, ...organization } = await dealkeep.createOrganization();
  const setting: Setting = { platform, receiver, connection: keyConnection(dealkeep.baseUrl, key) };
  const define = (name: string, type: string) =>
    createLookup(dealkeep.core, organization, 'custom-field', {
      values: { name, type, required: false },
    });
  const segment = await define('Segment trhu', 'text');
  await define('Počet zamestnancov', 'number');
  await define('Ďalší kontakt', 'date');
  await define('Odberateľ', 'checkbox');
  const fieldsOf = async (step: string, inputData: object = {}) => {
    const fields = await outputFieldsOf(platform, setting.connection, step, inputData);
    return fields.filter(({ key }) => key.startsWith('custom_fields__'));
  };
  return { setting, organization, segment, define, fieldsOf };
}

const labelled = (name: string) => ({
  key: `custom_fields__${name}`,
  label: `Custom Field: ${name}`,
  type: 'string',
});
const ofEveryKind = ['Odberateľ', 'Počet zamestnancov', 'Segment trhu', 'Ďalší kontakt'].map(labelled);

test.each([
  ['triggers.company_created', {}],
  ['triggers.company_updated', {}],
  ['triggers.any_event', { events: ['lead.created', 'company.updated'] }],
  ['creates.create_company', {}],
  ['creates.update_company', {}],
  ['searches.find_company', {}],
])('%s offers the custom fields of the organization, of every kind', async (step, input) => {
  const { fieldsOf } = await openOffice();
  const fields = await fieldsOf(step, input);
  expect(fields).toHaveLength(ofEveryKind.length);
  expect(fields).toEqual(expect.arrayContaining(ofEveryKind));
});

test('what other records than companies are chosen has none', async () => {
  const { fieldsOf } = await openOffice();
  expect(await fieldsOf('triggers.any_event', { events: ['lead.created'] })).toEqual([]);
  expect(await fieldsOf('triggers.lead_created')).toEqual([]);
});

test('a field that is added or renamed is there the next time, as many as there are', async () => {
  const { organization, segment, define, fieldsOf } = await openOffice();
  await updateLookup(dealkeep.core, organization, 'custom-field', {
    id: segment.id,
    changes: { name: 'Odvetvie' },
  });
  for (let index = 0; index < 100; index += 1) await define(`Pole ${index}`, 'text');
  const keys = (await fieldsOf('triggers.company_created')).map(({ key }) => key);
  expect(keys).toHaveLength(104);
  expect(keys).toEqual(expect.arrayContaining(['custom_fields__Odvetvie', 'custom_fields__Pole 99']));
  expect(keys).not.toContain('custom_fields__Segment trhu');
});

test('a delivery, a test of the trigger and a search hold the values under the keys that are offered', async () => {
  const { setting, organization, fieldsOf } = await openOffice();
  const values = {
    'Segment trhu': 'Maloobchod',
    'Počet zamestnancov': '12.5',
    'Ďalší kontakt': '2027-01-31',
    Odberateľ: 'true',
  };
  const company = await ask(setting, 'POST', '/companies', { name: 'Žltý kôň' });
  const updated = makeZap(platform, receiver, setting.connection, 'company_updated', {
    fields_to_watch: ['custom_fields'],
  });
  await updated.turnOn();
  await editCompanyLabels(dealkeep.core, organization, { id: String(company['id']), custom_fields: values });
  const [run] = await updated.runs(await updated.delivery());
  expect(run).toMatchObject({ custom_fields: values, changed_fields: ['custom_fields'] });
  const [listed] = await updated.samples();
  const [found] = await list(setting, 'searches.find_company', { search_q: 'Žltý kôň' });
  const changed = await act(setting, 'update_company', { id: company['id'], note: 'x' });
  for (const each of [listed, found, changed]) expect(each).toMatchObject({ custom_fields: values });
  const offered = (await fieldsOf('triggers.company_updated')).map(({ key }) => key);
  expect(
    Object.keys(Object(run?.['custom_fields']))
      .map((name) => `custom_fields__${name}`)
      .toSorted(),
  ).toEqual(offered.toSorted());
});
