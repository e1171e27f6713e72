import { seedDemo } from '@dealkeep/core/installation';
import { sharedDealkeep } from '@dealkeep/testing';
import { defaultPipeline } from '@dealkeep/testing/business';
import { beforeAll, describe, expect, test } from 'vitest';
import { connectionTo, openedBy, optionsOf } from './engine.ts';
import { piece } from './platform.ts';
import { newWorld } from './world.ts';

const dealkeep = await sharedDealkeep();
const { api, auth } = await newWorld(dealkeep);

const steps = [...Object.entries(piece.actions()), ...Object.entries(piece.triggers())];
const properties = steps.flatMap(([step, { props }]) =>
  Object.entries(props).map(([key, property]) => ({ step, key, type: Object(property).type })),
);
const dropdowns = properties.filter(({ type }) => /^(MULTI_SELECT_)?DROPDOWN$/.test(type));
const labelsOf = ({ options }: Awaited<ReturnType<typeof optionsOf>>) => options.map(({ label }) => label);

/** A business with everything in it that a dropdown lists. */
const full = await newWorld(dealkeep);
beforeAll(() => seedDemo(dealkeep.core, full.organization.slug, 'small'));

test('there are dropdowns for every reference', () => {
  expect(dropdowns.length).toBeGreaterThan(80);
});

describe.each(dropdowns)(
  'the dropdown $key of $step (rules activepieces 3 and connectors 4)',
  ({ step, key }) => {
    test('lists records by their names, whose ids are the values', async () => {
      const { options, disabled, placeholder } = await optionsOf(step, key, full.auth);
      expect({ disabled, placeholder }).toEqual({ disabled: undefined, placeholder: undefined });
      expect(options.length).toBeGreaterThan(0);
      for (const { label, value } of options) {
        expect(label).not.toMatch(/^[0-9a-f]{8}-/);
        expect(String(value)).not.toBe('');
      }
    });

    test('asks to connect first', async () => {
      expect(await optionsOf(step, key, undefined)).toEqual({
        disabled: true,
        options: [],
        placeholder: 'Connect your account first.',
      });
    });
  },
);

describe('a dropdown (rules activepieces 3 and connectors 4)', () => {
  test('that depends on another follows it', async () => {
    const { id: pipeline_id, stages } = await defaultPipeline(api);
    const all = await optionsOf('move_lead', 'stage_id', auth);
    expect(labelsOf(all).every((label) => label.includes(': '))).toBe(true);
    const chosen = await optionsOf('create_lead', 'stage_id', auth, { input: { pipeline_id } });
    expect(labelsOf(chosen)).toEqual(Object.keys(stages));
    const gone = await optionsOf('create_lead', 'stage_id', auth, {
      input: { pipeline_id: '01985f6e-0000-7000-8000-000000000000' },
    });
    expect(gone.options).toEqual([]);
  });

  test('of contacts is narrowed by the company', async () => {
    const other = (await api.post('/companies', { name: 'Other' })).data;
    await api.post('/contacts', { company_id: other.id, name: 'Ján' });
    const contacts = await optionsOf('create_lead', 'contact_id', auth, { input: { company_id: other.id } });
    expect(labelsOf(contacts)).toEqual(['Ján (Other)']);
  });

  test('of many records is searched', async () => {
    await api.post('/companies', { name: 'Tatra', email: 'info@tatra.example' });
    const found = await optionsOf('update_company', 'id', auth, { search: 'tatr' });
    expect(labelsOf(found)).toEqual(['Tatra (info@tatra.example)']);
    const none = await optionsOf('update_company', 'id', auth, { search: 'zzz' });
    expect(none).toEqual({ options: [], placeholder: 'Nothing to choose from: Company.' });
  });

  test('of what was archived lists nothing, because it can no longer be changed', async () => {
    const lead = (await api.post('/leads', { name: 'Gone' })).data;
    await api.post(`/leads/${lead.id}/archive`, {});
    expect(labelsOf(await optionsOf('update_lead', 'id', auth))).not.toContain('Gone');
  });

  test('says why there is nothing to choose from when the key is not valid', async () => {
    const revoked = connectionTo(dealkeep.baseUrl, `dk_live_${'x'.repeat(43)}`);
    const { disabled, options, placeholder } = await optionsOf('update_company', 'id', revoked);
    expect({ disabled, options }).toEqual({ disabled: true, options: [] });
    expect(placeholder).toMatch(/Open the connection and set a valid API Key\.$/);
  });
});

describe('the filters of Any Event (rule activepieces 3)', () => {
  test('are those that the chosen events have in common, each with what it can be', async () => {
    await api.post('/leads', { name: 'Fleet', tags: ['VIP'] });
    const filters = await openedBy('any_event', 'filters', auth, { events: ['lead.created', 'lead.won'] });
    expect(Object.keys(filters)).toEqual([
      'pipeline_id',
      'stage_id',
      'owner_id',
      'origin_id',
      'status',
      'tag',
    ]);
    expect(Object(filters['tag']).options.options).toContainEqual({ label: 'VIP', value: 'VIP' });
    expect(Object.keys(await openedBy('any_event', 'filters', auth, { events: ['quote.accepted'] }))).toEqual(
      [],
    );
    expect(Object.keys(await openedBy('any_event', 'filters', auth))).toEqual([]);
  });

  test('begin with the fields to watch, where one of the chosen events is an update', async () => {
    const watchedOf = async (...events: string[]): Promise<Record<string, string> | undefined> => {
      const { fields_to_watch: property } = await openedBy('any_event', 'filters', auth, { events });
      if (property?.type !== 'STATIC_MULTI_SELECT_DROPDOWN') return undefined;
      expect(property.displayName).toBe('Fields to Watch');
      return Object.fromEntries(property.options.options.map(({ label, value }) => [value, label]));
    };
    expect(await watchedOf('lead.updated')).toMatchObject({ value: 'Value', owner: 'Owner' });
    // A company has no value, and what was just created was not changed.
    const both = await watchedOf('lead.updated', 'company.updated', 'contact.created');
    expect(both).toHaveProperty('owner');
    expect(both).not.toHaveProperty('value');
    expect(await watchedOf('company.created')).toBeUndefined();
    expect(await watchedOf('lead.stage_changed')).toBeUndefined();
    expect(
      Object.keys(
        await openedBy('any_event', 'filters', auth, { events: ['lead.updated', 'company.created'] }),
      ),
    ).toEqual(['fields_to_watch', 'owner_id', 'tag']);
  });
});
