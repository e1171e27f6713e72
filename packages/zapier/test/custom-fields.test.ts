import { inConsole, startDealkeep } from '@dealkeep/testing';
import { expect, test } from 'vitest';
import { outputFieldsOf } from './platform/output-fields-of.ts';
import { act, ask, list } from './platform/setting.ts';
import { startPrivate } from './platform/start-in-process.ts';
import { makeZap } from './platform/zap.ts';

const dealkeep = await startDealkeep();
const { platform, receiver, newAccount } = await startPrivate(dealkeep);

/** An organization with a custom field of each kind. */
async function openOffice() {
  const { setting, organization } = await newAccount();
  const define = (name: string, type: string) =>
    inConsole(dealkeep.core, organization, 'custom-fields.add', { name, type, required: false });
  const segment = await define('Segment trhu', 'text');
  await define('Počet zamestnancov', 'number');
  await define('Ďalší kontakt', 'date');
  await define('Odberateľ', 'checkbox');
  const fieldsOf = async (step: string, inputData: object = {}) => {
    const fields = await outputFieldsOf(platform, setting.connection, step, inputData);
    return fields.filter(({ key }) => key.startsWith('custom_fields__'));
  };
  return { setting, organization, segment, fieldsOf };
}

const labelled = (name: string) => ({
  key: `custom_fields__${name}`,
  label: `Custom Field: ${name}`,
  type: 'string',
});
const ofEveryKind = ['Odberateľ', 'Počet zamestnancov', 'Segment trhu', 'Ďalší kontakt'].map(labelled);

const office = await openOffice();

test.each([
  ['triggers.company_created', {}],
  ['triggers.company_updated', {}],
  ['triggers.any_event', { events: ['lead.created', 'company.updated'] }],
  ['creates.create_company', {}],
  ['creates.update_company', {}],
  ['searches.find_company', {}],
])('%s offers the custom fields of the organization, of every kind', async (step, input) => {
  const fields = await office.fieldsOf(step, input);
  expect(fields).toHaveLength(ofEveryKind.length);
  expect(fields).toEqual(expect.arrayContaining(ofEveryKind));
});

test('what other records than companies are chosen has none', async () => {
  expect(await office.fieldsOf('triggers.any_event', { events: ['lead.created'] })).toEqual([]);
  expect(await office.fieldsOf('triggers.lead_created')).toEqual([]);
});

test('a field that is added or renamed is there the next time, as many as there are', async () => {
  const { organization, segment, fieldsOf } = await openOffice();
  await dealkeep.sql`
    insert into custom_fields (organization_id, id, name, type, created_at, updated_at)
    select ${organization.id}, gen_random_uuid(), 'Pole ' || number, 'text', now(), now()
    from generate_series(0, 99) number`;
  await inConsole(dealkeep.core, organization, 'custom-fields.edit', { id: segment.id, name: 'Odvetvie' });
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
  await inConsole(dealkeep.core, organization, 'companies.labels', {
    id: String(company['id']),
    custom_fields: values,
  });
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

test('what custom fields were before a change stands beside, with their names', async () => {
  const { setting, organization } = await openOffice();
  const company = await ask(setting, 'POST', '/companies', { name: 'Žltý kôň' });
  const label = (value: string) =>
    inConsole(dealkeep.core, organization, 'companies.labels', {
      id: String(company['id']),
      custom_fields: { 'Segment trhu': value },
    });
  await label('Maloobchod');
  const updated = makeZap(platform, receiver, setting.connection, 'company_updated');
  await updated.turnOn();
  await label('Veľkoobchod');
  expect(await updated.runs(await updated.delivery())).toMatchObject([
    {
      custom_fields: { 'Segment trhu': 'Veľkoobchod' },
      previous: { name: null, custom_fields: { 'Segment trhu': 'Maloobchod' } },
    },
  ]);
  for (const [step, input] of [
    ['triggers.company_updated', {}],
    ['triggers.any_event', { events: ['company.updated'] }],
  ] as const) {
    expect(await outputFieldsOf(platform, setting.connection, step, input)).toContainEqual({
      key: 'previous__custom_fields__Segment trhu',
      label: 'Previous Custom Field: Segment trhu',
      type: 'string',
    });
  }
  expect(await outputFieldsOf(platform, setting.connection, 'triggers.company_created')).not.toContainEqual(
    expect.objectContaining({ key: expect.stringMatching(/^previous/) }),
  );
});
