import { eventFilters, eventTypes, filtersOfEvent } from '@dealkeep/contract';
import { getWebhookWithHealth } from '@dealkeep/core/delivering';
import {
  createManualWebhook,
  sharedDealkeep,
  type TestOrganization,
  updateManualWebhook,
} from '@dealkeep/testing';
import { defaultPipeline, openBusiness } from '@dealkeep/testing/business';
import { describe, expect, test } from 'vitest';
import { conditionsAreJudgedRight } from './conditions-of-webhooks.ts';

const dealkeep = await sharedDealkeep();
const { core, sql } = dealkeep;
const target_url = 'http://127.0.0.1:4567/hook';

/** The names of the records whose events a webhook is told, oldest first. */
const toldOf = async (webhook: string): Promise<string[]> =>
  (
    await sql<{ name: string }[]>`
      select e.type || ' ' || (e.envelope::jsonb -> 'data' ->> 'name') as name
      from deliveries d join events e on e.organization_id = d.organization_id and e.id = d.event_id
      where d.webhook_id = ${webhook} order by e.id`
  ).map(({ name }) => name);

const problemsOf = async (work: Promise<unknown>): Promise<Record<string, string>> => {
  const problem = await work.then(
    () => undefined,
    (error) => error,
  );
  const fields: { path: string; message: string }[] = problem?.body('en').error.detail?.fields ?? [];
  return Object.fromEntries(fields.map(({ path, message }) => [path, message]));
};

describe('filters', () => {
  test('all must match: a hook is told of a record that has one of the values in every field (rule hooks 17)', async () => {
    const { api, organization } = await openBusiness(dealkeep);
    const { stages } = await defaultPipeline(api);
    const filters = { stage_id: [stages['Contacted'], stages['Won']], owner_id: [organization.ownerId] };
    const hook = await api.post('/webhooks', { target_url, event: 'lead.created', filters });
    expect(hook.data.filters).toEqual(filters);
    expect((await api.get(`/webhooks/${hook.data.id}`)).data.filters).toEqual(filters);
    const owner_id = organization.ownerId;
    await api.post('/leads', { name: 'Neither' });
    await api.post('/leads', { name: 'Stage alone', stage_id: stages['Contacted'], owner_id: null });
    await api.post('/leads', { name: 'Owner alone', owner_id });
    await api.post('/leads', { name: 'Both', stage_id: stages['Contacted'], owner_id });
    await api.post('/leads', { name: 'Both, the other stage', stage_id: stages['Won'], owner_id });
    expect(await toldOf(hook.data.id)).toEqual(['lead.created Both', 'lead.created Both, the other stage']);
  });

  test('a tag is one of those of the record', async () => {
    const { api } = await openBusiness(dealkeep);
    const filters = { tag: ['VIP', 'A "quoted" \\ one'] };
    const { id } = (await api.post('/webhooks', { target_url, event: 'company.created', filters })).data;
    await api.post('/companies', { name: 'None' });
    await api.post('/companies', { name: 'First', tags: ['Other', 'VIP'] });
    await api.post('/companies', { name: 'Second', tags: ['A "quoted" \\ one'] });
    expect(await toldOf(id)).toEqual(['company.created First', 'company.created Second']);
  });

  test('ids match in either case', async () => {
    const { api, organization } = await openBusiness(dealkeep);
    const filters = { owner_id: [organization.ownerId.toUpperCase()] };
    const { id } = (await api.post('/webhooks', { target_url, event: 'company.created', filters })).data;
    await api.post('/companies', { name: 'Mine', owner_id: organization.ownerId });
    expect(await toldOf(id)).toEqual(['company.created Mine']);
  });

  test('are decided when the event is written, by the record of the event (rule hooks 19)', async () => {
    const { api } = await openBusiness(dealkeep);
    const { stages } = await defaultPipeline(api);
    const filters = { stage_id: [stages['Contacted']] };
    const { id } = (await api.post('/webhooks', { target_url, event: 'lead.stage_changed', filters })).data;
    const lead = (await api.post('/leads', { name: 'Moving' })).data;
    await api.post(`/leads/${lead.id}/move`, { stage_id: stages['Contacted'] });
    await api.post(`/leads/${lead.id}/move`, { stage_id: stages['Won'] });
    expect(await toldOf(id)).toEqual(['lead.stage_changed Moving']);
  });

  test.each([
    [
      'a field that an event does not have names both',
      { events: ['lead.created', 'company.created'], filters: { stage_id: [crypto.randomUUID()] } },
      { 'filters.stage_id': 'The event company.created does not have the field stage_id.' },
    ],
    [
      'a field that there is nowhere',
      { events: ['lead.created'], filters: { constructor: ['x'] } },
      { 'filters.constructor': 'The event lead.created does not have the field constructor.' },
    ],
    [
      'no values',
      { events: ['lead.created'], filters: { status: [] } },
      { 'filters.status': 'The number of entries must be at least 1.' },
    ],
    [
      'a status that there is not',
      { events: ['lead.created'], filters: { status: ['open', 'lukewarm'] } },
      { 'filters.status[1]': 'This must be one of: open, won, lost.' },
    ],
    [
      'an id that is none',
      { events: ['task.moved'], filters: { assignee_id: ['me'] } },
      { 'filters.assignee_id[0]': 'This is not an id (UUID).' },
    ],
    [
      'changed fields without an event that tells of changes',
      { events: ['lead.created'], changed_fields: ['value'] },
      { changed_fields: 'This needs an event that tells of a change, such as lead.updated.' },
    ],
    [
      'a changed field that an event does not tell of names both',
      { events: ['lead.updated', 'lead.won'], changed_fields: ['value', 'stage'] },
      { 'changed_fields[1]': 'The event lead.updated does not tell of a change of stage.' },
    ],
  ])('refused: %s (rule hooks 18)', async (_, body, messages) => {
    const { api, organization } = await openBusiness(dealkeep);
    const refused = await api.post('/webhooks', { target_url, ...body });
    expect(refused.outcome).toBe('422 VALIDATION_ERROR');
    const fields = Object.entries(messages).map(([path, message]) =>
      expect.objectContaining({ path, message }),
    );
    expect(refused.error.detail).toEqual({ fields });
    const byHand = createManualWebhook(core, organization, { name: 'By hand', target_url, ...body });
    expect(await problemsOf(byHand)).toEqual(messages);
    expect((await api.get('/webhooks')).page.data).toEqual([]);
  });

  test('what is wrong with filters is told beside what else is wrong', async () => {
    const { api } = await openBusiness(dealkeep);
    const body = { target_url, events: ['lead.created'], filters: { staff_id: ['x'] }, name: ' ' };
    expect((await api.post('/webhooks', body)).fields).toEqual({
      name: 'empty',
      'filters.staff_id': 'not_of_event',
    });
  });
});

describe('changed fields', () => {
  test('an updated event is delivered only when one of them changed; other events always (rule hooks 17)', async () => {
    const { api } = await openBusiness(dealkeep);
    const body = { target_url, events: ['lead.updated', 'lead.created'], changed_fields: ['value', 'note'] };
    const hook = (await api.post('/webhooks', body)).data;
    expect(hook.changed_fields).toEqual(['value', 'note']);
    const { id } = (await api.post('/leads', { name: 'New' })).data;
    await api.patch(`/leads/${id}`, { name: 'Renamed' });
    await api.patch(`/leads/${id}`, { value: 5, expected_close_date: '2031-01-01' });
    expect(await toldOf(hook.id)).toEqual(['lead.created New', 'lead.updated Renamed']);
  });
});

describe('a webhook made by hand', () => {
  const make = (organization: TestOrganization, wanted: object) =>
    createManualWebhook(core, organization, {
      name: 'By hand',
      target_url,
      events: ['lead.created'],
      ...wanted,
    });

  test('is filtered, too; the filter changes and goes, and fits the events that it has then', async () => {
    const { api, organization } = await openBusiness(dealkeep);
    const { id } = await make(organization, { filters: { status: ['won'] } });
    await api.post('/leads', { name: 'Open' });
    expect(await toldOf(id)).toEqual([]);
    const changed = await updateManualWebhook(core, organization, { id, filters: { status: ['open'] } });
    expect(changed.filters).toEqual({ status: ['open'] });
    await api.post('/leads', { name: 'Open too' });
    expect(await toldOf(id)).toEqual(['lead.created Open too']);
    const events = ['contact.created'];
    expect(await problemsOf(updateManualWebhook(core, organization, { id, events }))).toEqual({
      'filters.status': 'The event contact.created does not have the field status.',
    });
    await updateManualWebhook(core, organization, { id, name: 'Renamed' });
    expect((await getWebhookWithHealth(core, organization, id)).filters).toEqual({ status: ['open'] });
    expect((await updateManualWebhook(core, organization, { id, events, filters: null })).filters).toBeNull();
  });
});

test('the condition of a webhook says of any record, filter and change what a reference evaluator says (rule hooks 17)', () =>
  conditionsAreJudgedRight(3));

test('every filter that the specification names is one of some event', () => {
  const used = new Set(eventTypes.flatMap((type) => Object.keys(filtersOfEvent(type))));
  expect([...used].sort()).toEqual([...eventFilters].sort());
});
