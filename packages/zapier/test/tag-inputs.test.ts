import { inConsole, sharedDealkeep } from '@dealkeep/testing';
import { describe, expect, test } from 'vitest';
import { runAs } from './platform/connection.ts';
import { failureOf } from './platform/failure.ts';
import { inputFieldsOf } from './platform/input-fields-of.ts';
import { act, list } from './platform/setting.ts';
import { startPrivate } from './platform/start-in-process.ts';

const dealkeep = await sharedDealkeep();
const { platform, newAccount } = await startPrivate(dealkeep);

const told = async (run: Promise<unknown>) => (await failureOf(run)).message;

describe.each([
  ['company', { name: 'Tatra' }],
  ['lead', { name: 'Bikes' }],
])('tags of a %s (rule zapier 22)', (kind, body) => {
  test('are chosen from a list that also takes a new name, several of them', async () => {
    const { setting } = await newAccount();
    const form = (step: string) => inputFieldsOf(platform, setting.connection, `creates.${step}_${kind}`);
    const tags = (key: string) => ({ key, type: 'string', list: true, dynamic: 'list_tags.name.name' });
    expect(await form('create')).toEqual(expect.arrayContaining([expect.objectContaining(tags('tags'))]));
    const ofUpdate = ['tags', 'add_tags', 'remove_tags'].map((key) => expect.objectContaining(tags(key)));
    expect(await form('update')).toEqual(expect.arrayContaining(ofUpdate));
  });

  test('are made when they are new, from a list or from one text, and offered from then on', async () => {
    const { setting } = await newAccount();
    const made = await act(setting, `create_${kind}`, { ...body, tags: ['VIP', 'Spring, Fair'] });
    expect(new Set(Object(made['tags']))).toEqual(new Set(['VIP', 'Spring', 'Fair']));
    const offered = await list(setting, 'triggers.list_tags', {}, { page: 0 });
    expect(offered.map(({ name }) => name).toSorted()).toEqual(['Fair', 'Spring', 'VIP']);
  });

  test('that hold a comma are chosen whole, by actions, searches and triggers (rule connectors 18)', async () => {
    const { setting, organization } = await newAccount();
    await inConsole(dealkeep.core, organization, 'tags.add', { name: 'Bolts, nuts' });
    const made = await act(setting, `create_${kind}`, { ...body, tags: ['bolts, nuts', 'VIP, New'] });
    expect(new Set(Object(made['tags']))).toEqual(new Set(['Bolts, nuts', 'VIP', 'New']));
    const changed = await act(setting, `update_${kind}`, { id: made['id'], remove_tags: 'Bolts, nuts' });
    expect(new Set(Object(changed['tags']))).toEqual(new Set(['VIP', 'New']));
    await act(setting, `update_${kind}`, { id: made['id'], add_tags: ['Bolts, nuts'] });
    const found = await list(setting, `searches.find_${kind}`, { search_tag: 'Bolts, nuts' });
    expect(found).toMatchObject([{ id: made['id'] }]);
    const method = `triggers.${kind}_created.operation.performList`;
    const inputData = { tag: ['Bolts, nuts'] };
    const runs = await runAs(platform, setting.connection, method, { inputData, meta: {} });
    expect(runs).toMatchObject([{ id: made['id'] }]);
  });

  test('come and go by an update, are replaced by another, and cleared', async () => {
    const { setting } = await newAccount();
    const { id } = await act(setting, `create_${kind}`, { ...body, tags: ['One', 'Two'] });
    const update = async (values: Record<string, unknown>) =>
      new Set(Object((await act(setting, `update_${kind}`, { id, ...values }))['tags']));
    expect(await update({ add_tags: ['Three'], remove_tags: ['One'] })).toEqual(new Set(['Two', 'Three']));
    expect(await update({ tags: ['Four'] })).toEqual(new Set(['Four']));
    expect(await update({ tags: '' })).toEqual(new Set(['Four']));
    expect(await update({ fields_to_clear: ['tags'] })).toEqual(new Set());
  });

  test('find the record', async () => {
    const { setting } = await newAccount();
    const { id } = await act(setting, `create_${kind}`, { ...body, tags: ['VIP'] });
    await act(setting, `create_${kind}`, { ...body, tags: ['Other'] });
    expect(await list(setting, `searches.find_${kind}`, { search_tag: 'VIP' })).toMatchObject([{ id }]);
  });

  test('that replace and change at once are told by their labels', async () => {
    const { setting } = await newAccount();
    const { id } = await act(setting, `create_${kind}`, body);
    const both = act(setting, `update_${kind}`, { id, tags: ['One'], add_tags: ['Two'] });
    expect(await told(both)).toMatch(/^Tags to Add: .*Tags/);
  });

  test('that no program may make are told, with what to do', async () => {
    const { setting, organization } = await newAccount();
    await inConsole(dealkeep.core, organization, 'organizations.update', { makes_tags: false });
    expect(await told(act(setting, `create_${kind}`, { ...body, tags: ['VIP'] }))).toBe(
      'Tags: There is no tag "VIP", and this organization does not let programs make tags. Add it in the console.',
    );
  });
});
