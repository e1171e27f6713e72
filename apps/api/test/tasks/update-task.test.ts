import { inConsole, sharedDealkeep } from '@dealkeep/testing';
import { addProject, openBusiness, recordText, stageOf } from '@dealkeep/testing/business';
import { describe, expect, test } from 'vitest';

const dealkeep = await sharedDealkeep();
const nobody = '01985f6e-2c41-7d3a-9b52-4f0c8a7e1d63';

/** A business with two projects and a task in the first one's first stage. */
async function openOffice() {
  const business = await openBusiness(dealkeep);
  const { api, organization } = business;
  const place = { dealkeep, organization };
  const campaign = await addProject(place, 'Campaign', { Plan: 'to_do', Do: 'in_progress', Check: 'done' });
  const move = await addProject(place, 'Move', { Pack: 'to_do', Carry: 'in_progress' });
  const task = (await api.post('/tasks', { title: 'Call', project_id: campaign.id })).data;
  const path = `/tasks/${task.id}` as const;
  return { ...business, campaign, move, task, path };
}

describe('fields', () => {
  test('change as sent, without an event: the catalog has none (rules events 5 and tasks 8)', async () => {
    const { api, task, path, organization, eventsDuring } = await openOffice();
    const company = (await api.post('/companies', { name: 'Acme' })).data;
    const lead = (await api.post('/leads', { name: 'Fleet' })).data;
    const fields = {
      title: 'New title',
      description: 'New',
      priority: 'low',
      start_date: '2026-10-01',
      due_date: '2026-10-02',
      due_time: '09:30',
    };
    const events = await eventsDuring(async () => {
      const { data } = await api.patch(path, {
        ...fields,
        assignee_ids: [organization.ownerId, organization.ownerId],
        company_id: company.id,
        lead_id: lead.id,
      });
      expect(data).toEqual({
        ...task,
        ...fields,
        assignees: [{ id: organization.ownerId, name: 'Jana Horváthová' }],
        company: { id: company.id, name: 'Acme' },
        lead: { id: lead.id, name: 'Fleet' },
        updated_at: data.updated_at,
      });
      expect(data.updated_at > task.updated_at).toBe(true);
      expect((await api.get(path)).data).toEqual(data);
    });
    expect(events).toEqual([]);
  });

  test('null clears what may be empty', async () => {
    const { api, task, path, organization } = await openOffice();
    const company = (await api.post('/companies', { name: 'Acme' })).data;
    const lead = (await api.post('/leads', { name: 'Fleet' })).data;
    await api.patch(path, {
      description: 'x',
      start_date: '2026-10-01',
      due_date: '2026-10-02',
      due_time: '09:30',
      assignee_ids: [organization.ownerId],
      company_id: company.id,
      lead_id: lead.id,
    });
    const { data } = await api.patch(path, {
      description: null,
      start_date: null,
      due_date: null,
      due_time: null,
      assignee_ids: [],
      company_id: null,
      lead_id: null,
    });
    expect(data).toEqual({ ...task, updated_at: data.updated_at });
    const refused = await api.patch(path, {
      title: null,
      priority: null,
      assignee_ids: null,
      completed: null,
    });
    expect(Object.keys(refused.fields).toSorted()).toEqual([
      'assignee_ids',
      'completed',
      'priority',
      'title',
    ]);
  });

  test('that are the same change nothing', async () => {
    const { api, path, campaign, organization, eventsDuring } = await openOffice();
    const same = {
      title: ' Call ',
      due_date: '2026-10-02',
      due_time: '09:30',
      priority: 'normal',
      assignee_ids: [organization.ownerId],
    };
    const before = (await api.patch(path, same)).data;
    const events = await eventsDuring(async () => {
      for (const body of [
        same,
        {},
        { completed: false },
        { project_id: campaign.id },
        { stage_id: stageOf(campaign, 'Plan') },
        { project_id: campaign.id, stage_id: stageOf(campaign, 'Plan') },
      ]) {
        expect((await api.patch(path, body)).data).toEqual(before);
      }
      expect((await api.send('PATCH', path)).outcome).toBe('200');
    });
    expect(events).toEqual([]);
    expect((await api.get(path)).data).toEqual(before);
  });

  test('that fail are all said at once, and nothing is changed', async () => {
    const { api, path, task } = await openOffice();
    const refused = await api.patch(path, {
      title: 'New',
      assignee_ids: [nobody],
      company_id: nobody,
      lead_id: nobody,
      project_id: nobody,
      stage_id: nobody,
    });
    expect(refused.fields).toEqual({
      'assignee_ids[0]': 'not_found',
      company_id: 'not_found',
      lead_id: 'not_found',
      project_id: 'not_found',
      stage_id: 'not_found',
    });
    expect((await api.patch(path, { tags: [] })).fields).toEqual({ tags: 'unknown' });
    expect((await api.get(path)).data).toEqual(task);
  });
});

describe('stage', () => {
  test('a change of it is a move (rule tasks 8)', async () => {
    const { api, path, campaign, eventsDuring } = await openOffice();
    const events = await eventsDuring(async () => {
      const { data } = await api.patch(path, { stage_id: stageOf(campaign, 'Do') });
      expect(data).toMatchObject({ project: { id: campaign.id }, stage: { name: 'Do' }, completed_at: null });
    });
    expect(events.map(({ type }) => type)).toEqual(['task.moved']);
    expect(events[0]?.dataText).toBe(recordText((await api.get(path)).text));
    expect(events[0]).not.toHaveProperty('changed_fields');
  });

  test('of another project is refused, unless the project comes along (rule tasks 4)', async () => {
    const { api, path, move, campaign, task, eventsDuring } = await openOffice();
    const pack = stageOf(move, 'Pack');
    expect((await api.patch(path, { stage_id: pack })).fields).toEqual({
      stage_id: 'stage_of_other_project',
    });
    expect((await api.patch(path, { stage_id: pack, project_id: campaign.id })).fields).toEqual({
      stage_id: 'stage_of_other_project',
    });
    expect((await api.patch(path, { stage_id: pack, project_id: null })).fields).toEqual({
      stage_id: 'stage_of_other_project',
    });
    expect((await api.get(path)).data).toEqual(task);
    const events = await eventsDuring(async () => {
      const { data } = await api.patch(path, { stage_id: stageOf(move, 'Carry'), project_id: move.id });
      expect(data).toMatchObject({ project: { name: 'Move' }, stage: { name: 'Carry' } });
    });
    expect(events.map(({ type }) => type)).toEqual(['task.moved']);
  });

  test('another project alone begins in its first one (rule tasks 6)', async () => {
    const { api, path, move, eventsDuring } = await openOffice();
    const events = await eventsDuring(async () => {
      const { data } = await api.patch(path, { project_id: move.id });
      expect(data).toMatchObject({ project: { name: 'Move' }, stage: { name: 'Pack' } });
    });
    expect(events.map(({ type }) => type)).toEqual(['task.moved']);
  });

  test('goes with the project, and can be cleared alone (rules tasks 7 and 8)', async () => {
    const { api, path, campaign } = await openOffice();
    const cleared = (await api.patch(path, { stage_id: null })).data;
    expect(cleared).toMatchObject({ project: { id: campaign.id }, stage: null });
    expect((await api.patch(path, { project_id: campaign.id })).data.stage).toBeNull();
    await api.patch(path, { stage_id: stageOf(campaign, 'Do') });
    expect((await api.patch(path, { project_id: null })).data).toMatchObject({ project: null, stage: null });
  });

  test('brings its project to a task without one (rule tasks 5)', async () => {
    const { api, move } = await openOffice();
    const { id } = (await api.post('/tasks', { title: 'Free' })).data;
    const { data } = await api.patch(`/tasks/${id}`, { stage_id: stageOf(move, 'Carry') });
    expect(data).toMatchObject({ project: { id: move.id }, stage: { name: 'Carry' } });
  });
});

describe('completed', () => {
  test('true completes once, false reopens without an event (rule tasks 3)', async () => {
    const { api, path, eventsDuring } = await openOffice();
    const events = await eventsDuring(async () => {
      const { data } = await api.patch(path, { completed: true });
      expect(data.completed_at).toBe(data.updated_at);
      expect((await api.patch(path, { completed: true })).data).toEqual(data);
    });
    expect(events.map(({ type }) => type)).toEqual(['task.completed']);
    expect(events[0]?.dataText).toBe(recordText((await api.get(path)).text));
    const reopened = await eventsDuring(async () => {
      const { data } = await api.patch(path, { completed: false });
      expect(data.completed_at).toBeNull();
    });
    expect(reopened).toEqual([]);
    expect(await eventsDuring(() => api.patch(path, { completed: true }))).toMatchObject([
      { type: 'task.completed' },
    ]);
  });

  test('together with a move: moved, then completed, both as it is at the end', async () => {
    const { api, path, campaign, eventsDuring } = await openOffice();
    const events = await eventsDuring(() =>
      api.patch(path, { completed: true, stage_id: stageOf(campaign, 'Check'), title: 'Done' }),
    );
    expect(events.map(({ type }) => type)).toEqual(['task.moved', 'task.completed']);
    const text = recordText((await api.get(path)).text);
    expect(events.map(({ dataText }) => dataText)).toEqual([text, text]);
  });

  test('a completed task still changes and moves', async () => {
    const { api, path, campaign } = await openOffice();
    const done = (await api.patch(path, { completed: true })).data;
    const { data } = await api.patch(path, { title: 'Renamed', stage_id: stageOf(campaign, 'Check') });
    expect(data).toMatchObject({
      title: 'Renamed',
      completed_at: done.completed_at,
      stage: { name: 'Check' },
    });
  });

  test('eight times at once is one completion', async () => {
    const { api, path, eventsDuring } = await openOffice();
    const events = await eventsDuring(async () => {
      const answers = await Promise.all(
        Array.from({ length: 8 }, () => api.patch(path, { completed: true })),
      );
      expect(new Set(answers.map(({ text }) => text)).size).toBe(1);
    });
    expect(events.map(({ type }) => type)).toEqual(['task.completed']);
  });
});

test('eight different fields at once all arrive', async () => {
  const { api, path, campaign, eventsDuring } = await openOffice();
  // A time without a date is refused, and either may come first.
  await api.patch(path, { due_date: '2026-10-03' });
  const changes = [
    { title: 'New' },
    { description: 'New' },
    { priority: 'high' },
    { start_date: '2026-10-01' },
    { due_date: '2026-10-02' },
    { due_time: '10:00' },
    { completed: true },
    { stage_id: stageOf(campaign, 'Do') },
  ];
  const events = await eventsDuring(() => Promise.all(changes.map((change) => api.patch(path, change))));
  expect(events.map(({ type }) => type).toSorted()).toEqual(['task.completed', 'task.moved']);
  expect((await api.get(path)).data).toMatchObject({
    title: 'New',
    description: 'New',
    priority: 'high',
    start_date: '2026-10-01',
    due_date: '2026-10-02',
    due_time: '10:00',
    completed_at: expect.any(String),
    stage: { name: 'Do' },
  });
});

test('of two moves at once each is told with the stage that it led to', async () => {
  const { api, path, campaign, eventsDuring } = await openOffice();
  const stages = ['Do', 'Check'].map((name) => stageOf(campaign, name));
  const events = await eventsDuring(() =>
    Promise.all(stages.map((stage_id) => api.patch(path, { stage_id }))),
  );
  expect(events.map(({ type }) => type)).toEqual(['task.moved', 'task.moved']);
  expect(new Set(events.map(({ data }) => JSON.stringify(data['stage']))).size).toBe(2);
  expect((await api.get(path)).data.stage).toEqual(events[1]?.data['stage']);
});

describe('an archived task', () => {
  test('can be read but not changed, and is archived without an event (rule tasks 11)', async () => {
    const { api, path, task, organization, eventsDuring } = await openOffice();
    const events = await eventsDuring(async () => {
      const archived = await inConsole(dealkeep.core, organization, 'tasks.archive', { id: task.id });
      expect(archived).toEqual({
        ...task,
        archived_at: archived.updated_at,
        updated_at: archived.updated_at,
      });
      expect((await api.get(path)).data).toEqual(archived);
      expect((await api.get('/tasks')).page.data).toEqual([archived]);
    });
    expect(events).toEqual([]);
    for (const body of [{ title: 'x' }, { completed: true }, {}]) {
      expect((await api.patch(path, body)).outcome).toBe('409 CONFLICT');
    }
  });

  test('cannot be archived again; nor can what does not exist', async () => {
    const { task, organization } = await openOffice();
    const other = await openOffice();
    await inConsole(dealkeep.core, organization, 'tasks.archive', { id: task.id });
    const archive = (id: string) => inConsole(dealkeep.core, organization, 'tasks.archive', { id });
    await expect(archive(task.id)).rejects.toMatchObject({ key: 'task.archived' });
    await expect(archive(nobody)).rejects.toMatchObject({ key: 'record.not_found' });
    await expect(archive(other.task.id)).rejects.toMatchObject({ key: 'record.not_found' });
  });
});
