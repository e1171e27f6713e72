import { sharedDealkeep } from '@dealkeep/testing';
import { recordText } from '@dealkeep/testing/business';
import { describe, expect, test } from 'vitest';
import { nobody, openCalendar } from './an-activity.ts';

const dealkeep = await sharedDealkeep();
const calendar = await openCalendar(dealkeep);
const startAt = '2026-10-05T09:00:00.000Z';

test('with every field', async () => {
  const { api, company, contact, lead, type, jana, marek } = calendar;
  const fields = {
    name: 'Product presentation',
    importance: 'high' as const,
    start_at: startAt,
    end_at: '2026-10-05T11:15:00.000Z',
    location: 'Štúrova 12, Košice',
    note: 'Bring\nthe catalogue. ',
    video_call_url: 'https://meet.example.com/product-presentation',
  };
  const answer = await api.post('/activities', {
    ...fields,
    assignee_id: marek.id,
    type_id: type.id.toUpperCase(),
    company_id: company.id,
    contact_id: contact.id,
    lead_id: lead.id,
  });
  expect(answer.status).toBe(201);
  expect(answer.data).toEqual({
    id: expect.any(String),
    ...fields,
    status: 'open',
    completed_at: null,
    type,
    owner: jana,
    assignee: marek,
    company: { id: company.id, name: 'Acme' },
    contact: { id: contact.id, name: 'Eva' },
    lead: { id: lead.id, name: 'Bikes' },
    created_at: expect.stringMatching(/\.\d{3}Z$/),
    updated_at: answer.data.created_at,
    app_url: `http://localhost:3000/activities/${answer.data.id}`,
  });
  expect((await api.get(`/activities/${answer.data.id}`)).text).toBe(answer.text);
  expect((await api.get('/activities')).page.data).toEqual([answer.data]);
});

test('is told in one event, which carries what GET answers', async () => {
  const { api, company, lead, type, eventsDuring } = calendar;
  const events = await eventsDuring(() =>
    api.post('/activities', {
      name: 'Call',
      start_at: startAt,
      company_id: company.id,
      lead_id: lead.id,
      type_id: type.id,
    }),
  );
  expect(events.map(({ type }) => type)).toEqual(['activity.created']);
  expect(events[0]?.dataText).toBe(recordText((await api.get(`/activities/${events[0]?.data.id}`)).text));
  expect(events[0]).not.toHaveProperty('changed_fields');
});

describe('defaults', () => {
  const required = { name: ' Call ', start_at: startAt };
  const usual = {
    name: 'Call',
    status: 'open',
    importance: 'normal',
    start_at: startAt,
    end_at: '2026-10-05T09:30:00.000Z',
    completed_at: null,
    location: null,
    note: null,
    video_call_url: null,
    type: null,
    company: null,
    contact: null,
    lead: null,
  };

  test('stand in for what is absent (rules activities 2, 3 and 4)', async () => {
    const { api, jana } = calendar;
    const { data } = await api.post('/activities', required);
    expect(data).toMatchObject({ ...usual, owner: jana, assignee: jana });
  });

  test('stand in for null, which equals absent', async () => {
    const { api, jana } = calendar;
    const nullable = ['end_at', 'location', 'note', 'video_call_url', 'type_id', 'assignee_id'];
    const references = ['company_id', 'contact_id', 'lead_id'];
    const nulls = Object.fromEntries([...nullable, ...references].map((name) => [name, null]));
    const { data } = await api.post('/activities', { ...required, ...nulls });
    expect(data).toMatchObject({ ...usual, owner: jana, assignee: jana });
  });

  test('owner and assignee are the person behind the key (rule activities 4)', async () => {
    const { apiOfMarek, marek, jana } = calendar;
    expect((await apiOfMarek.post('/activities', required)).data).toMatchObject({
      owner: marek,
      assignee: marek,
    });
    const forJana = await apiOfMarek.post('/activities', { ...required, assignee_id: jana.id });
    expect(forJana.data).toMatchObject({ owner: marek, assignee: jana });
  });

  test.each([
    ['2026-12-31T23:45:00Z', '2027-01-01T00:15:00.000Z'],
    ['2026-10-05T09:00:00+02:00', '2026-10-05T07:30:00.000Z'],
    ['9999-12-31T23:45:00Z', '9999-12-31T23:59:59.999Z'],
  ])('an activity that starts at %s ends at %s (rule activities 2)', async (start, end) => {
    const { api } = calendar;
    const { data } = await api.post('/activities', { name: 'Call', start_at: start });
    expect(data.end_at).toBe(end);
  });
});

test('the Ref of a lead without a name has an empty one (rule bodies 26)', async () => {
  const { api } = calendar;
  const lead = (await api.post('/leads', {})).data;
  const { data } = await api.post('/activities', { name: 'Call', start_at: startAt, lead_id: lead.id });
  expect(data.lead).toEqual({ id: lead.id, name: '' });
});

test('moments have any offset and are shown in UTC with milliseconds (rule bodies 18)', async () => {
  const { api } = calendar;
  const { data } = await api.post('/activities', {
    name: 'Call',
    start_at: '2026-10-05T11:00:00.1239+02:00',
    end_at: '2026-10-04T23:30:00-12:00',
  });
  expect([data.start_at, data.end_at]).toEqual(['2026-10-05T09:00:00.123Z', '2026-10-05T11:30:00.000Z']);
});

describe('the end', () => {
  test('may be the start', async () => {
    const { api } = calendar;
    const moment = { name: 'Reminder', start_at: startAt, end_at: '2026-10-05T11:00:00+02:00' };
    expect((await api.post('/activities', moment)).data.end_at).toBe(startAt);
  });

  test('must not lie before the start, whatever the offsets (rule activities 2)', async () => {
    const { api } = calendar;
    for (const end_at of ['2026-10-05T08:59:59.999Z', '2026-10-05T10:59:59+02:00']) {
      const refused = await api.post('/activities', { name: 'Call', start_at: startAt, end_at });
      expect(refused.fields).toEqual({ end_at: 'before_start' });
    }
  });
});

describe('is refused', () => {
  test('without a name and a start (rule activities 1)', async () => {
    const { api } = calendar;
    expect((await api.post('/activities', {})).fields).toEqual({ name: 'required', start_at: 'required' });
    expect((await api.post('/activities', { name: ' ', start_at: startAt })).fields).toEqual({
      name: 'empty',
    });
  });

  test('with references that do not exist and an end before the start, all of them named', async () => {
    const { api, eventsDuring } = calendar;
    const before = await api.walk('/activities');
    const events = await eventsDuring(async () => {
      const refused = await api.post('/activities', {
        name: 'Call',
        start_at: startAt,
        end_at: '2026-10-05T08:00:00Z',
        assignee_id: nobody,
        type_id: nobody,
        company_id: nobody,
        contact_id: nobody,
        lead_id: nobody,
      });
      expect(refused.fields).toEqual({
        end_at: 'before_start',
        assignee_id: 'not_found',
        type_id: 'not_found',
        company_id: 'not_found',
        contact_id: 'not_found',
        lead_id: 'not_found',
      });
    });
    expect(events).toEqual([]);
    expect(await api.walk('/activities')).toEqual(before);
  });

  test('with references of another organization', async () => {
    const { api } = calendar;
    const other = await openCalendar(dealkeep);
    const references = {
      assignee_id: other.jana.id,
      type_id: other.type.id,
      company_id: other.company.id,
      contact_id: other.contact.id,
      lead_id: other.lead.id,
    };
    const refused = await api.post('/activities', { name: 'Call', start_at: startAt, ...references });
    expect(refused.fields).toEqual(
      Object.fromEntries(Object.keys(references).map((name) => [name, 'not_found'])),
    );
  });

  test.each([
    [{ name: 'č'.repeat(256) }, { name: 'too_long' }],
    [{ location: '😀'.repeat(256) }, { location: 'too_long' }],
    [{ video_call_url: 'x'.repeat(2049) }, { video_call_url: 'too_long' }],
    // People open it in a browser.
    ...[
      'javascript:alert(1)',
      ' https://a.example',
      'https://',
      'file:///etc/passwd',
      'meet.example',
      'data:,x',
    ].map((video_call_url): [object, object] => [{ video_call_url }, { video_call_url: 'invalid_url' }]),
    [{ importance: 'urgent' }, { importance: 'invalid_choice' }],
    [{ start_at: '2026-10-05T09:00:00' }, { start_at: 'invalid_date_time' }],
    [{ start_at: '2026-02-30T09:00:00Z' }, { start_at: 'invalid_date_time' }],
    [{ end_at: '2026-10-05' }, { end_at: 'invalid_date_time' }],
    [{ note: 'a\0b' }, { note: 'invalid_characters' }],
    [{ status: 'closed' }, { status: 'unknown' }],
    [{ owner_id: nobody }, { owner_id: 'unknown' }],
  ])('with %j (rules activities 1 and bodies 17)', async (fields, problems) => {
    const { api } = calendar;
    const refused = await api.post('/activities', { name: 'Call', start_at: startAt, ...fields });
    expect(refused.fields).toEqual(problems);
  });
});

test('company, contact and lead are independent of each other (rule activities 5)', async () => {
  const { api, contact, lead } = calendar;
  const beta = (await api.post('/companies', { name: 'Beta' })).data;
  const fields = { name: 'Fair', start_at: startAt, contact_id: contact.id, lead_id: lead.id };
  expect((await api.post('/activities', fields)).data.company).toBeNull();
  expect((await api.post('/activities', { ...fields, company_id: beta.id })).data.company?.id).toBe(beta.id);
});
