import { inConsole, sharedDealkeep } from '@dealkeep/testing';
import { describe, expect, test } from 'vitest';
import { nobody, openActivity, openCalendar } from './an-activity.ts';

const dealkeep = await sharedDealkeep();
const calendar = await openCalendar(dealkeep);

test('what is sent changes, all else stays; the catalog has no event for it (rule activities 7)', async () => {
  const { activity, patch, read, eventsDuring } = await openActivity(calendar);
  const events = await eventsDuring(async () => {
    const { status, data, text } = await patch({ name: ' Demonstration ', importance: 'low' });
    expect(status).toBe(200);
    expect(data).toEqual({
      ...activity,
      name: 'Demonstration',
      importance: 'low',
      updated_at: data.updated_at,
    });
    expect(data.updated_at).not.toBe(activity.updated_at);
    expect((await read()).text).toBe(text);
  });
  expect(events).toEqual([]);
});

test('every field can change', async () => {
  const { activity, patch, company, contact, lead, type, marek } = await openActivity(calendar);
  const plain = {
    name: 'Call',
    start_at: '2027-01-01T00:00:00.000Z',
    end_at: '2027-01-02T00:00:00.000Z',
    importance: 'high' as const,
    location: 'Nitra',
    note: 'New',
    video_call_url: 'https://meet.example.com/new',
  };
  const { data } = await patch({
    ...plain,
    assignee_id: marek.id,
    type_id: type.id,
    company_id: company.id,
    contact_id: contact.id,
    lead_id: lead.id,
  });
  expect(data).toEqual({
    ...activity,
    ...plain,
    assignee: marek,
    type,
    company: { id: company.id, name: 'Acme' },
    contact: { id: contact.id, name: 'Eva' },
    lead: { id: lead.id, name: 'Bikes' },
    updated_at: data.updated_at,
  });
});

test('null clears', async () => {
  const { patch, company, contact, lead, type, jana, read } = await openActivity(calendar);
  const references = {
    company_id: company.id,
    contact_id: contact.id,
    lead_id: lead.id,
    type_id: type.id,
    assignee_id: jana.id,
  };
  const texts = { location: 'Nitra', note: 'New', video_call_url: 'https://x.example' };
  await patch({ ...references, ...texts });
  const names = [...Object.keys(references), ...Object.keys(texts), 'start_at', 'end_at'];
  expect((await patch(Object.fromEntries(names.map((name) => [name, null])))).status).toBe(200);
  expect((await read()).data).toMatchObject({
    start_at: null,
    end_at: null,
    location: null,
    note: null,
    video_call_url: null,
    type: null,
    owner: jana,
    assignee: null,
    company: null,
    contact: null,
    lead: null,
  });
});

test('nothing that changes leaves updated_at', async () => {
  const { activity, patch, jana } = await openActivity(calendar);
  expect((await patch({})).data).toEqual(activity);
  const same = {
    name: ' Presentation',
    start_at: '2026-10-05T11:00:00+02:00',
    end_at: '2026-10-05T10:00:00.0004Z',
    importance: 'normal',
    assignee_id: jana.id.toUpperCase(),
    company_id: null,
    note: 'Old',
  };
  expect((await patch(same)).data).toEqual(activity);
});

describe('the end must not lie before the start', () => {
  test.each([
    [{ start_at: '2026-10-05T10:00:00.001Z' }, { start_at: 'before_start' }],
    [{ end_at: '2026-10-05T08:59:59.999Z' }, { end_at: 'before_start' }],
    [{ end_at: '2026-10-05T10:59:00+02:00' }, { end_at: 'before_start' }],
    [{ start_at: '2026-10-06T09:00:00Z', end_at: '2026-10-06T08:00:00Z' }, { end_at: 'before_start' }],
  ])('%j is refused', async (body, fields) => {
    const { activity, patch, read } = await openActivity(calendar);
    expect((await patch({ ...body, note: 'New' })).fields).toEqual(fields);
    expect((await read()).data).toEqual(activity);
  });

  test.each([
    { start_at: '2026-10-05T10:00:00.000Z' },
    { end_at: '2026-10-05T09:00:00.000Z' },
    { start_at: '2026-10-06T09:00:00.000Z', end_at: '2026-10-06T10:00:00.000Z' },
    { start_at: '2026-10-06T09:00:00.000Z', end_at: null },
  ])('%j is fine', async (body) => {
    const { patch } = await openActivity(calendar);
    expect((await patch(body)).data).toMatchObject(body);
  });

  test('two that move start and end towards each other at once cannot pass each other', async () => {
    const { patch, read } = await openActivity(calendar);
    const answers = await Promise.all([
      patch({ start_at: '2026-10-05T09:50:00.000Z' }),
      patch({ end_at: '2026-10-05T09:10:00.000Z' }),
    ]);
    const outcomes = answers.map(({ outcome }) => outcome).toSorted();
    expect(outcomes).toEqual(['200', '422 VALIDATION_ERROR']);
    const { start_at, end_at } = (await read()).data;
    expect(String(end_at) >= String(start_at)).toBe(true);
  });
});

describe('is refused', () => {
  test('with references that do not exist, all of them named', async () => {
    const { activity, patch, read } = await openActivity(calendar);
    const names = ['assignee_id', 'type_id', 'company_id', 'contact_id', 'lead_id'];
    const refused = await patch(Object.fromEntries(names.map((name) => [name, nobody])));
    expect(refused.fields).toEqual(Object.fromEntries(names.map((name) => [name, 'not_found'])));
    expect((await read()).data).toEqual(activity);
  });

  test('with references of another organization', async () => {
    const { patch } = await openActivity(calendar);
    const other = await openActivity(await openCalendar(dealkeep));
    for (const references of [
      { assignee_id: other.marek.id },
      { type_id: other.type.id },
      { company_id: other.company.id },
      { contact_id: other.contact.id },
      { lead_id: other.lead.id },
    ]) {
      const [name = ''] = Object.keys(references);
      expect((await patch(references)).fields).toEqual({ [name]: 'not_found' });
    }
  });

  test('without a name or an importance', async () => {
    const { patch } = await openActivity(calendar);
    const refused = await patch({ name: null, importance: null });
    expect(Object.keys(refused.fields).toSorted()).toEqual(['importance', 'name']);
  });

  test('with what only other operations change', async () => {
    const { patch } = await openActivity(calendar);
    const refused = await patch({ status: 'closed', completed_at: null, owner_id: nobody });
    expect(refused.fields).toEqual({ status: 'unknown', completed_at: 'unknown', owner_id: 'unknown' });
  });

  test('of what does not exist, or is another organization’s', async () => {
    const { api } = await openActivity(calendar);
    const other = await openActivity(await openCalendar(dealkeep));
    for (const id of [nobody, 'x', other.activity.id]) {
      expect((await api.get(`/activities/${id}`)).outcome).toBe('404 NOT_FOUND');
      expect((await api.patch(`/activities/${id}`, { note: 'x' })).outcome).toBe('404 NOT_FOUND');
      expect((await api.post(`/activities/${id}/complete`)).outcome).toBe('404 NOT_FOUND');
    }
    expect((await other.read()).data).toEqual(other.activity);
  });
});

test('a closed and a canceled one can still be put right, and stay what they are (rule activities 7)', async () => {
  const closed = await openActivity(calendar);
  const { completed_at } = (await closed.complete()).data;
  expect((await closed.patch({ note: 'New' })).data).toMatchObject({
    status: 'closed',
    completed_at,
    note: 'New',
  });
  const canceled = await openActivity(calendar);
  await inConsole(dealkeep.core, canceled.place, 'activities.cancel', { id: canceled.activity.id });
  expect((await canceled.patch({ note: 'New' })).data).toMatchObject({ status: 'canceled', note: 'New' });
});

test('two updates at once keep both changes', async () => {
  const { patch, read } = await openActivity(calendar);
  await Promise.all([patch({ note: 'A' }), patch({ location: 'B' })]);
  expect((await read()).data).toMatchObject({ note: 'A', location: 'B' });
});
