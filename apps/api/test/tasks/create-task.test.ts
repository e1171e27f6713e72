import { sharedDealkeep } from '@dealkeep/testing';
import { addProject, openBusiness, recordText, stageOf } from '@dealkeep/testing/business';
import { describe, expect, test } from 'vitest';
import { addUser } from '../console-edits.ts';

const dealkeep = await sharedDealkeep();
const nobody = '01985f6e-2c41-7d3a-9b52-4f0c8a7e1d63';

/** A business with a project of three stages, one of one, and one of none. */
async function openOffice() {
  const business = await openBusiness(dealkeep);
  const place = { dealkeep, organization: business.organization };
  const campaign = await addProject(place, 'Campaign', { Plan: 'to_do', Do: 'in_progress', Check: 'done' });
  const move = await addProject(place, 'Move', { Pack: 'to_do' });
  const idea = await addProject(place, 'Idea');
  return { ...business, place, campaign, move, idea };
}

describe('create', () => {
  test('with every field (rule tasks 1)', async () => {
    const { api, place, organization, campaign } = await openOffice();
    const company = (await api.post('/companies', { name: 'Acme' })).data;
    const lead = (await api.post('/leads', { name: 'Fleet', company_id: company.id })).data;
    const marek = await addUser(place, 'Marek');
    const fields = {
      title: 'Send the contract',
      description: 'Two copies,\nboth signed. ',
      priority: 'high',
      start_date: '2026-10-05',
      due_date: '2026-10-09',
      due_time: '16:00',
    };
    const task = await api.post('/tasks', {
      ...fields,
      title: ' Send the contract ',
      assignee_ids: [marek.toUpperCase(), organization.ownerId, marek],
      company_id: company.id,
      lead_id: lead.id,
      project_id: campaign.id,
      stage_id: stageOf(campaign, 'Do'),
    });
    expect(task.status).toBe(201);
    expect(task.data).toEqual({
      id: expect.any(String),
      ...fields,
      completed_at: null,
      archived_at: null,
      assignees: [
        { id: marek, name: 'Marek' },
        { id: organization.ownerId, name: 'Jana Horváthová' },
      ],
      company: { id: company.id, name: 'Acme' },
      lead: { id: lead.id, name: 'Fleet' },
      project: { id: campaign.id, name: 'Campaign' },
      stage: { id: stageOf(campaign, 'Do'), name: 'Do' },
      created_at: expect.stringMatching(/\.\d{3}Z$/),
      updated_at: task.data.created_at,
      app_url: `http://localhost:3000/tasks/${task.data.id}`,
    });
    expect((await api.get(`/tasks/${task.data.id}`)).text).toBe(task.text);
    expect((await api.get('/tasks')).page.data).toEqual([task.data]);
  });

  test('is told in one event, which carries what GET answers', async () => {
    const { api, campaign, eventsDuring } = await openOffice();
    const events = await eventsDuring(() =>
      api.post('/tasks', {
        title: 'ž "q"',
        project_id: campaign.id,
        due_date: '2020-01-01',
        due_time: '08:05',
      }),
    );
    expect(events.map(({ type }) => type)).toEqual(['task.created']);
    const read = await api.get(`/tasks/${events[0]?.data.id}`);
    expect(events[0]?.dataText).toBe(recordText(read.text));
    expect(events[0]).not.toHaveProperty('changed_fields');
  });

  test('with a title alone; null equals absent (rule tasks 2)', async () => {
    const { api } = await openOffice();
    const empty = {
      description: null,
      start_date: null,
      due_date: null,
      due_time: null,
    };
    const calm = {
      ...empty,
      priority: 'normal',
      assignees: [],
      company: null,
      lead: null,
      project: null,
      stage: null,
    };
    expect((await api.post('/tasks', { title: 'Call' })).data).toMatchObject(calm);
    const nulls = {
      ...empty,
      priority: null,
      assignee_ids: null,
      company_id: null,
      lead_id: null,
      project_id: null,
      stage_id: null,
    };
    expect((await api.post('/tasks', { ...nulls, title: 'Call' })).data).toMatchObject(calm);
  });

  test('of an unnamed lead: the name of the reference is empty', async () => {
    const { api } = await openOffice();
    const lead = (await api.post('/leads', {})).data;
    const { data } = await api.post('/tasks', { title: 'Call', lead_id: lead.id });
    expect(data.lead).toEqual({ id: lead.id, name: '' });
  });

  test('says every field that breaks its constraint (rules tasks 1 and 2)', async () => {
    const { api } = await openOffice();
    const refused = await api.post('/tasks', {
      title: ' ',
      description: 'x'.repeat(5001),
      priority: 'urgent',
      start_date: '2026-02-30',
      due_date: '9.10.2026',
      due_time: '24:00',
      assignee_ids: Array.from({ length: 51 }, () => nobody),
      company_id: 'x',
      completed: true,
    });
    expect(refused.fields).toEqual({
      title: 'empty',
      description: 'too_long',
      priority: 'invalid_choice',
      start_date: 'invalid_date',
      due_date: 'invalid_date',
      due_time: 'invalid_time',
      assignee_ids: 'too_many',
      company_id: 'invalid_uuid',
      completed: 'unknown',
    });
    expect((await api.post('/tasks', {})).fields).toEqual({ title: 'required' });
    expect((await api.post('/tasks', { title: 'x'.repeat(256) })).fields).toEqual({ title: 'too_long' });
    expect((await api.post('/tasks', { title: '🚲'.repeat(255) })).status).toBe(201);
    for (const due_time of ['8:05', '08:60', '08:05:00', '0805']) {
      expect((await api.post('/tasks', { title: 'x', due_time })).fields).toEqual({
        due_time: 'invalid_time',
      });
    }
  });

  test('says every reference that the organization does not have', async () => {
    const { api, organization } = await openOffice();
    const other = await openOffice();
    const company = (await other.api.post('/companies', { name: 'Theirs' })).data;
    const lead = (await other.api.post('/leads', { name: 'Theirs' })).data;
    const refused = await api.post('/tasks', {
      title: 'Call',
      assignee_ids: [organization.ownerId, other.organization.ownerId],
      company_id: company.id,
      lead_id: lead.id,
      project_id: other.campaign.id,
      stage_id: stageOf(other.campaign, 'Do'),
    });
    expect(refused.fields).toEqual({
      'assignee_ids[1]': 'not_found',
      company_id: 'not_found',
      lead_id: 'not_found',
      project_id: 'not_found',
      stage_id: 'not_found',
    });
    expect((await api.get('/tasks')).page.data).toEqual([]);
  });
});

describe('project and stage', () => {
  test('a stage brings its project along (rule tasks 5)', async () => {
    const { api, campaign } = await openOffice();
    const { data } = await api.post('/tasks', { title: 'Call', stage_id: stageOf(campaign, 'Check') });
    expect(data).toMatchObject({ project: { id: campaign.id, name: 'Campaign' }, stage: { name: 'Check' } });
  });

  test('a project without a stage begins in its first one, if it has any (rule tasks 6)', async () => {
    const { api, campaign, idea } = await openOffice();
    const { data } = await api.post('/tasks', { title: 'Call', project_id: campaign.id, stage_id: null });
    expect(data.stage).toEqual({ id: stageOf(campaign, 'Plan'), name: 'Plan' });
    const bare = (await api.post('/tasks', { title: 'Call', project_id: idea.id })).data;
    expect(bare).toMatchObject({ project: { id: idea.id }, stage: null });
  });

  test('a stage of another project is refused (rule tasks 4)', async () => {
    const { api, campaign, move } = await openOffice();
    const refused = await api.post('/tasks', {
      title: 'Call',
      project_id: campaign.id,
      stage_id: stageOf(move, 'Pack'),
    });
    expect(refused.fields).toEqual({ stage_id: 'stage_of_other_project' });
  });

  test('projects are listed with their stages in order (rule lookups 4)', async () => {
    const { api, campaign, place, idea } = await openOffice();
    await addProject(place, 'Žiadosť 100%', {}, 'on_hold');
    const { page } = await api.get('/projects', { sort: 'name' });
    expect(page.data.map(({ name, status }) => [name, status])).toEqual([
      ['Campaign', 'active'],
      ['Idea', 'active'],
      ['Move', 'active'],
      ['Žiadosť 100%', 'on_hold'],
    ]);
    expect(page.data[0]).toEqual({
      id: campaign.id,
      name: 'Campaign',
      status: 'active',
      stages: [
        { id: stageOf(campaign, 'Plan'), name: 'Plan', category: 'to_do' },
        { id: stageOf(campaign, 'Do'), name: 'Do', category: 'in_progress' },
        { id: stageOf(campaign, 'Check'), name: 'Check', category: 'done' },
      ],
    });
    expect(page.data[1]).toEqual({ id: idea.id, name: 'Idea', status: 'active', stages: [] });
    expect((await api.get('/projects', { q: 'žiad' })).page.data).toHaveLength(1);
    expect((await api.get('/projects', { q: '0%' })).page.data).toHaveLength(1);
    expect((await api.walk('/projects', { sort: '-name', limit: 1 })).map(({ name }) => name)).toEqual([
      'Žiadosť 100%',
      'Move',
      'Idea',
      'Campaign',
    ]);
  });
});

test('reading and listing need tasks:read, creating and changing tasks:write', async () => {
  const { api, organization } = await openOffice();
  const { id } = (await api.post('/tasks', { title: 'Call' })).data;
  const reader = dealkeep.as((await organization.createKey({ scopes: ['tasks:read'] })).token);
  const { token } = await organization.createKey({ scopes: ['tasks:write'] });
  const writer = dealkeep.as(token, { writesOnly: true });
  for (const path of ['/tasks', `/tasks/${id}`, '/projects']) {
    expect((await reader.get(path)).outcome).toBe('200');
    expect((await writer.get(path)).outcome).toBe('403 FORBIDDEN');
  }
  expect((await reader.post('/tasks', { title: 'x' })).outcome).toBe('403 FORBIDDEN');
  expect((await reader.patch(`/tasks/${id}`, { title: 'x' })).outcome).toBe('403 FORBIDDEN');
  expect((await writer.post('/tasks', { title: 'x' })).outcome).toBe('201');
  expect((await writer.patch(`/tasks/${id}`, { title: 'x' })).outcome).toBe('200');
});

test('what does not exist, or belongs to somebody else, is 404', async () => {
  const { api } = await openOffice();
  const theirs = (await (await openOffice()).api.post('/tasks', { title: 'Theirs' })).data;
  for (const id of [nobody, 'x', theirs.id]) {
    expect((await api.get(`/tasks/${id}`)).outcome).toBe('404 NOT_FOUND');
    expect((await api.patch(`/tasks/${id}`, { title: 'x' })).outcome).toBe('404 NOT_FOUND');
  }
});

test('a repeat with the same Idempotency-Key makes no second task', async () => {
  const { api, eventTypes } = await openOffice();
  const send = () => api.post('/tasks', { title: 'Call' }, { 'Idempotency-Key': 'once' });
  const first = await send();
  expect((await send()).text).toBe(first.text);
  expect((await api.get('/tasks')).page.data).toHaveLength(1);
  expect(await eventTypes()).toEqual(['task.created']);
});
